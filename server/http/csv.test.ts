import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { csvLine } from './csv.ts';

test('formulas become text, however they are disguised', () => {
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

test('a name that merely contains such a character stays unchanged', () => {
  assert.is(csvLine(['A = B', 'rao@example.in', 'Form 16-A', -5]), 'A = B,rao@example.in,Form 16-A,-5\r\n');
});

test.run();
