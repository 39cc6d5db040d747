import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findSourceLine } from './findSourceLine.ts';

const TEXTS = [
  { page: 1, label: '', text: 'Statement of account\nAxis Bank,Pune\n\nClosing balance,"1,20,500.00"\n' },
  { page: 2, label: '', text: 'PAN AAAPZ 1234 C' },
];
const of = (id: string, page: number | null, raw: string, read: string | null = null) =>
  findSourceLine(TEXTS, { id, page, raw, read });

test('a value of a file without pages is shown in its line, however its digits are set apart', () => {
  assert.is(of('balance', 1, '1,20,500.00'), 'Closing balance,"1,20,500.00"');
  assert.is(of('balance', 1, '', '120500.00'), 'Closing balance,"1,20,500.00"');
  assert.is(of('pan', 2, '', 'AAAPZ1234C'), 'PAN AAAPZ 1234 C');
  assert.is(of('pan', null, 'AAAPZ1234C'), 'PAN AAAPZ 1234 C');
});

test('of what a document is, its first lines are shown; what stands nowhere has no line', () => {
  assert.is(of('type', 1, ''), 'Statement of account\nAxis Bank,Pune\nClosing balance,"1,20,500.00"');
  assert.is(of('tan', 1, 'PNEA12345B'), null);
  assert.is(of('tan', 1, ''), null);
});

test.run();
