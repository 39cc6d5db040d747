import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bestOf, findAll, findEach, fold, locate } from './find.ts';
import { foundCells } from './foundCells.ts';

const test = suite('search in a preview');

test('every match is found, in reading order, ignoring case', () => {
  assert.equal(findAll(['Form 16 and form 26AS', 'FORM'], 'form'), [
    { page: 1, start: 0, end: 4 },
    { page: 1, start: 12, end: 16 },
    { page: 2, start: 0, end: 4 },
  ]);
});

test('several words are searched separately, and their matches are in reading order and do not overlap', () => {
  assert.equal(findEach(['tax and taxes', 'due tax'], ['taxes', 'tax', 'due']), [
    { page: 1, start: 0, end: 3 },
    { page: 1, start: 8, end: 13 },
    { page: 2, start: 0, end: 3 },
    { page: 2, start: 4, end: 7 },
  ]);
});

test('Hindi words are found at the right position', () => {
  assert.equal(findAll(['आयकर विवरण'], 'विवरण'), [{ page: 1, start: 5, end: 10 }]);
});

test('folding keeps the length of a text, so that positions stay valid', () => {
  for (const text of ['Élan', 'ﬁle', 'İstanbul', '🗂 file']) assert.is(fold(text).length, text.length, text);
});

test('an empty search has no matches', () => {
  assert.equal(findAll(['text'], '  '), []);
});

test('a position in the text of a page is converted to a text piece and an offset', () => {
  const pieces = ['Total ', 'income', ' tax'];
  assert.equal(locate(pieces, 0), { piece: 0, offset: 0 });
  assert.equal(locate(pieces, 8), { piece: 1, offset: 2 });
  assert.is(locate(pieces, 99), null);
});

test('the best match is the one with the most different words near it', () => {
  const text = `Total at first. ${'x '.repeat(200)} Tax in all: the total of 500. Total`;
  const matches = findEach([text], ['total', 'tax', '500']);
  assert.is(bestOf([text], matches)!.start, text.indexOf('Tax'));
  assert.is(bestOf([text], []), null);
});

test('cells are found on the sheet of the match, whatever sheets are hidden, and the row with the most words is chosen', () => {
  const sheet = (number: number, rows: string[][]) => ({
    name: '',
    rows,
    number,
    total_rows: 0,
    total_columns: 0,
  });
  const sheets = [sheet(1, [['Rent 500']]), sheet(3, [['Rent'], [], ['', 'rent', '500']])];
  const found = foundCells(sheets, { page: 3, words: ['rent', '500'] })!;
  assert.equal(
    [found.sheet, found.place, [...found.cells]],
    [1, { row: 2, column: 1 }, ['0 0', '2 1', '2 2']],
  );
  assert.is(
    foundCells(sheets, { page: 2, words: ['rent'] })!.sheet,
    0,
    'a hidden sheet: the first visible one is shown',
  );
  assert.is(foundCells(sheets, { page: 1, words: ['salary'] }), null);
});

test.run();
