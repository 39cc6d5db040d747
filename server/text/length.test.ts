import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { makeShare } from '#server/sharing/contract.ts';
import { fieldRules } from '#server/auth/contract.ts';
import { characters } from './length.ts';

test('an emoji or a rare letter counts as one character, as a user counts', () => {
  assert.is(characters('😀🎃🦊🐝'), 4);
  assert.is(characters('आशा'), 3);
  assert.is(characters(''), 0);
});

test('eight characters are eight whatever they are, in the password of an account and of a link', () => {
  const link = { ids: [1], audience: 'anyone', mode: 'view', expires_on: '2026-12-31' };
  for (const [password, taken] of [
    ['😀🎃🦊🐝', false],
    ['😀🎃🦊🐝😀🎃🦊🐝', true],
    ['1234567', false],
    ['12345678', true],
  ] as const) {
    assert.is(v.safeParse(fieldRules.password, password).success, taken, password);
    assert.is(v.safeParse(makeShare, { ...link, password }).success, taken, password);
  }
});

test.run();
