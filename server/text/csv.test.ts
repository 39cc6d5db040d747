import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { csvLine } from './csv.ts';

test('cells that a spreadsheet could read as formulas are prefixed with an apostrophe, even when disguised', () => {
  for (const formula of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '  =1',
    '\u00a0=1',
    '\ufeff=1',
    '\u200b=1',
    '＝1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    ' ＝1',
    '﹦1',
  ]) {
    assert.match(csvLine([formula]), /^"?'/, JSON.stringify(formula));
  }
});

test('a cell that contains a formula character only inside stays unchanged, and so does a negative number', () => {
  assert.is(csvLine(['A = B', 'rao@example.in', 'Form 16-A', -5]), 'A = B,rao@example.in,Form 16-A,-5\r\n');
});

test.run();
