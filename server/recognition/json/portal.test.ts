import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../recognise.ts';

const read = (data: unknown) =>
  recognise([{ page: 1, label: '', text: JSON.stringify(data) }], { fileType: 'json' });
const OF_MARCH = { gstin: '27AAAPZ0000Q1ZL', fp: '032025' };
const BILLS = [{ ctin: '29AAACZ0000A1Z5', inv: [{ inum: 'SE/24-25/014', val: 118_000 }] }];

test('a file of a GSTR-1 is recognised by its parts of supplies, whether or not the turnover is in it', () => {
  for (const part of [
    { gt: 12_000_000, cur_gt: 1_000_000 },
    { b2b: BILLS },
    { b2cs: [{ pos: '27', txval: 5000 }] },
    { hsn: { data: [] } },
    { nil: { inv: [] } },
    { doc_issue: { doc_det: [] } },
  ]) {
    const found = read({ ...OF_MARCH, ...part });
    assert.equal([found.type, found.period, found.year], ['gstr_1', '2025-03', 2024], JSON.stringify(part));
  }
});

test('another return with a GSTIN and a month is not a GSTR-1, or it would be filed as one of March', () => {
  for (const part of [
    {},
    { b2b: [{ ...BILLS[0], cfs: 'Y', cfs3b: 'Y', fldtr1: '11-Apr-25' }] },
    { b2b: BILLS, cdn: [] },
    { b2b: BILLS, isd: [] },
    { txos: [], b2bur: [] },
    { tds: [{ gstin_ded: '29AAACZ0000A1Z5', amt_ded: 250_000 }] },
    { tcs: [] },
    { m2jw: [], table5A: [] },
    { table6: {}, b2b: BILLS },
  ])
    assert.is.not(read({ ...OF_MARCH, ...part }).type, 'gstr_1', JSON.stringify(part));
});

test('a file of a GSTR-9 is that of a whole year, though it names its last month', () => {
  const found = read({ ...OF_MARCH, table4: { b2c: { txval: 100 } }, table17: {} });
  assert.equal([found.type, found.year, found.period], ['gstr_9', 2024, 'FY 2024-25']);
});

test('the assessee of a return has all names of a person, or a client SHARMA would be suggested', () => {
  const nameIn = (AssesseeName: object, form = 'ITR1') => {
    const PersonalInfo = { PAN: 'AAAPZ0000A', AssesseeName };
    const part = form === 'ITR1' ? { PersonalInfo } : { PartA_GEN1: { PersonalInfo } };
    const { fields } = read({
      ITR: { [form]: { [`Form_${form}`]: { FormName: form, AssessmentYear: '2025' }, ...part } },
    });
    return fields.find(({ key }) => key === 'name')?.value;
  };
  const names = { FirstName: 'RAVI', MiddleName: 'KUMAR', SurNameOrOrgName: 'SHARMA' };
  assert.is(nameIn(names), 'RAVI KUMAR SHARMA');
  assert.is(nameIn({ ...names, MiddleName: ' ' }, 'ITR3'), 'RAVI SHARMA');
  assert.is(nameIn({ SurNameOrOrgName: 'MEHTA FOODS LLP' }), 'MEHTA FOODS LLP');
  assert.is(nameIn({}), undefined);
});

test.run();
