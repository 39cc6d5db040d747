import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jump, type, TYPEAHEAD_PAUSE_MS } from './typeahead.ts';

const test = suite('typeahead in the drive');
const names = ['Audit', 'Form 16', 'Form 26AS', 'GSTR-3B', 'कर विवरण', 'Élan'];

test('a letter leads to the next name that begins with it, and after the last one to the first', () => {
  assert.is(jump(names, 'f', 0), 1);
  assert.is(jump(names, 'f', 1), 2);
  assert.is(jump(names, 'ff', 2), 1);
});

test('while the typed word matches the focused row, the focus stays there', () => {
  assert.is(jump(names, 'form', 1), 1);
  assert.is(jump(names, 'form 2', 1), 2);
});

test('case and accents are ignored, and Hindi works', () => {
  assert.is(jump(names, 'e', -1), 5);
  assert.is(jump(names, 'क', 0), 4);
});

test('without a matching name the focus does not move', () => {
  assert.is(jump(names, 'z', 0), -1);
  assert.is(jump([], 'a', -1), -1);
});

test('after a pause the next letter starts a new word', () => {
  const first = type({ text: '', at: 0 }, 'f', 1000);
  assert.is(type(first, 'o', 1100).text, 'fo');
  assert.is(type(first, 'g', 1001 + TYPEAHEAD_PAUSE_MS).text, 'g');
});

test.run();
