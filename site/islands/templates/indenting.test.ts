import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { breakLine, indent } from './indenting.ts';

const test = suite('indenting an outline');

test('the selected lines are indented and outdented together, and stay selected', () => {
  const edited = { text: 'A\nB\nC', start: 2, end: 5 };
  const inside = indent(edited, false);
  assert.equal(inside, { text: 'A\n  B\n  C', start: 4, end: 9 });
  assert.equal(indent(inside, true), edited);
  assert.equal(indent({ text: '\tA', start: 0, end: 0 }, true), { text: 'A', start: 0, end: 0 });
  assert.equal(
    indent({ text: 'A', start: 1, end: 1 }, true).text,
    'A',
    'a line without indentation stays unchanged',
  );
});

test('a new line has the indentation of the previous one', () => {
  assert.equal(breakLine({ text: 'A\n  B', start: 5, end: 5 }), { text: 'A\n  B\n  ', start: 8, end: 8 });
});

test.run();
