import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { safeNext } from './addresses.ts';

const test = suite('the page after sign-in');

test('sign-in leads to the page that was first requested, with its query', () => {
  assert.is(safeNext('/dashboard/folder/7?highlight=9'), '/dashboard/folder/7?highlight=9');
});

test('sign-in never leads to another site, however the URL is written', () => {
  const tries = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    'javascript:0',
    '\\\\x',
  ];
  for (const next of tries) assert.is(safeNext(next), '/dashboard', next);
});

test('sign-in never leads to the sign-in or registration page, which would redirect in a loop', () => {
  for (const next of ['/login', '/login?next=/x', '/register', null, ''])
    assert.is(safeNext(next), '/dashboard');
  assert.is(safeNext('/loginhelp'), '/loginhelp');
});

test.run();
