import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPreferences, writePreferences } from './preferences.ts';

const test = suite('drive preferences');

test('view and sorting stored in the cookie are read back', () => {
  const chosen = { view: 'grid', sorting: { by: 'modified', descending: true } } as const;
  assert.equal(readPreferences(writePreferences(chosen)), chosen);
});

test('an invalid cookie gives the default, a list sorted by name', () => {
  const plain = { view: 'list', sorting: { by: 'name', descending: false } };
  assert.equal(readPreferences(undefined), plain);
  assert.equal(readPreferences('x.y.z'), plain);
});

test.run();
