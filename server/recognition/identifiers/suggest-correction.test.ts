import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../recognise.ts';
import { suggestCorrection } from './suggest-correction.ts';

test('a misread identifier gets a suggestion if exactly one correction fits the pattern of letters and digits', () => {
  assert.is(suggestCorrection('employee_pan', 'AAAPLO2S4C'), 'AAAPL0254C', 'letters in the place of digits');
  assert.is(suggestCorrection('pan', '8AAPL1234C'), 'BAAPL1234C');
  assert.is(suggestCorrection('pan', 'AAA1L1234C'), 'AAALL1234C', 'I is no type of holder');
  assert.is(suggestCorrection('pan', 'AAAP11234C'), null, 'I or L');
  assert.is(suggestCorrection('pan', '0AAPL1234C'), null, 'O, D or Q');
  assert.is(suggestCorrection('deductor_tan', 'DELZOO0O0A'), 'DELZ00000A');
  assert.is(suggestCorrection('pan', 'AAAPL1234C'), null, 'it is valid already');
  for (const nothing of ['', 'AAAPL12345C', 'AAAPXX234C', 'HELLO WORLD'])
    assert.is(suggestCorrection('pan', nothing), null, nothing);
  assert.is(suggestCorrection('invoice_no', 'AAAPLO2S4C'), null);
});

test('for an identifier with a check digit, only a correction that passes it is suggested', () => {
  assert.is(suggestCorrection('supplier_gstin', '27AAAPZOOOOQ1ZL'), '27AAAPZ0000Q1ZL');
  assert.is(suggestCorrection('gstin', '27AAAPZ0000Q12L'), '27AAAPZ0000Q1ZL');
  assert.is(suggestCorrection('gstin', '27AAAPZOOOOQ1ZM'), null);
  assert.is(suggestCorrection('gstin', '27AAAPZ0000Q1ZM'), null, 'another character may be wrong');
  for (const wrong of ['29AAPFK4321M1ZB', '27AAPFS1234K1ZA'])
    assert.is(suggestCorrection('gstin', wrong), null, 'no ordinary GSTIN has other letters at the end');
});

test('a misread PAN after its label is marked as failed, with low confidence', () => {
  const text = (pan: string) =>
    `FORM NO. 16\nCertificate under section 203\nPART A\nPAN of the Employee: ${pan}\nAssessment Year: 2026-27`;
  const read = (pan: string) =>
    recognise([{ page: 1, label: '', text: text(pan) }], { fileType: 'pdf' })
      .fields.filter(({ key }) => key === 'employee_pan')
      .map(({ value, check, sure }) => [value, check, sure < 0.5]);
  assert.equal(read('AAAPZ0000A'), [['AAAPZ0000A', 'shape', false]]);
  assert.equal(read('AAAPZO0S0A'), [['AAAPZO0S0A', 'failed', true]]);
  assert.equal(read('AAAPZXX00A'), []);
});

test.run();
