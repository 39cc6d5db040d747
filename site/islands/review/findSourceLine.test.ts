import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findSourceLine } from './findSourceLine.ts';

const TEXTS = [
  { page: 1, label: '', text: 'Statement of account\nAxis Bank,Pune\n\nClosing balance,"1,20,500.00"\n' },
  { page: 2, label: '', text: 'PAN AAAPZ 1234 C' },
];
const lineOf = (id: string, page: number | null, raw: string, read: string | null = null) =>
  findSourceLine(TEXTS, { id, page, raw, read });

test('the line of a value is found, whatever separators its digits have', () => {
  assert.is(lineOf('balance', 1, '1,20,500.00'), 'Closing balance,"1,20,500.00"');
  assert.is(lineOf('balance', 1, '', '120500.00'), 'Closing balance,"1,20,500.00"');
  assert.is(lineOf('pan', 2, '', 'AAAPZ1234C'), 'PAN AAAPZ 1234 C');
  assert.is(lineOf('pan', null, 'AAAPZ1234C'), 'PAN AAAPZ 1234 C');
});

test('for the document type the first lines are shown; a value that is not in the text has no line', () => {
  assert.is(lineOf('type', 1, ''), 'Statement of account\nAxis Bank,Pune\nClosing balance,"1,20,500.00"');
  assert.is(lineOf('tan', 1, 'PNEA12345B'), null);
  assert.is(lineOf('tan', 1, ''), null);
});

test.run();
