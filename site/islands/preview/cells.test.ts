import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  copied,
  edgesOf,
  figureColumns,
  headerOf,
  isIn,
  letterOf,
  reach,
  seenOf,
  widthsOf,
} from './cells.ts';

const test = suite('cells of a table');

test('columns are named as in a spreadsheet', () => {
  assert.equal([0, 25, 26, 51, 52, 701, 702].map(letterOf), ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
});

test('a column is as wide as its cells, up to a limit, and a title above the table does not widen it', () => {
  const title = ['Statement of account of Sharma Traders for the year 2026-27'];
  const [first, second] = widthsOf(
    [title, ['Date', 'Narration of thirty characters'], ['01-04-2026', '']],
    2,
  );
  assert.ok(first! < 110 && second! > 200);
  assert.equal(widthsOf([['x'.repeat(900)]], 1), [440], 'no column is wider than 440 pixels');
});

test('text overflows into empty cells to its right, and a figure does not', () => {
  assert.is(reach(['Title', '', '', 'x'], 0, 6), 2);
  assert.is(reach(['Title'], 0, 4), 3);
  assert.is(reach([{ n: '5' }, ''], 0, 2), 0);
});

test('only columns near the viewport are rendered', () => {
  const edges = edgesOf([100, 100, 100, 100]);
  assert.equal(edges, [0, 100, 200, 300, 400]);
  assert.equal(seenOf(edges, 0, 150), { start: 0, end: 2 });
  assert.equal(seenOf(edges, 150, 250), { start: 1, end: 3 });
  assert.equal(seenOf(edges, 0, 9000), { start: 0, end: 4 });
});

test('a selection is copied in the format of spreadsheets, in whichever direction it was dragged', () => {
  const rows = [['Date', 'Amount'], ['01-04-2026', { n: '1,00,000.00' }], ['a "b"\nc']];
  const range = { from: { row: 2, column: 1 }, to: { row: 1, column: 0 } };
  assert.is(copied(rows, range), '01-04-2026\t1,00,000.00\n"a ""b""\nc"\t');
  assert.ok(isIn(range, { row: 1, column: 1 }));
  assert.not(isIn(range, { row: 0, column: 0 }));
  assert.not(isIn(null, { row: 0, column: 0 }));
});

test('the header row is found below the titles, and is null for a table without one', () => {
  const n = (text: string) => ({ n: text });
  const table = [
    ['HDFC Bank'],
    ['Account', '5010'],
    [],
    ['Date', 'Narration', 'Debit', 'Balance'],
    ['01-04-2026', 'NEFT', '', n('5.00')],
  ];
  assert.is(headerOf(table), 3);
  assert.equal([...figureColumns(table, 3)], [3]);
  assert.is(
    headerOf([
      [n('1'), n('2')],
      [n('3'), n('4')],
    ]),
    null,
  );
  assert.is(
    headerOf([
      ['Dear Sir', 'please'],
      ['find', 'it'],
    ]),
    null,
    'a table without figures has no header row',
  );
  assert.is(headerOf([]), null);
});

test.run();
