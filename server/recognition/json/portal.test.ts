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

test('the figures of every return are read where its form has them', () => {
  const sums = { TaxesPaid: { TotalTaxesPaid: 31_000 }, BalTaxPayable: 0 };
  const Refund = { RefundDue: 1000 };
  const short = { TaxPaid: sums, Refund };
  const long = { PartB_TTI: { TaxPaid: sums, Refund } };
  const figures = (form: string, part: object) => {
    const { fields } = read({
      ITR: { [form]: { [`Form_${form}`]: { FormName: form, AssessmentYear: '2026' }, ...part } },
    });
    const keys = ['gross_total_income', 'total_income', 'taxes_paid', 'payable', 'refund'];
    return keys.map((key) => fields.find((field) => field.key === key)?.value);
  };
  const known = ['90000000', '75000000', '3100000', '0', '100000'];
  const shortIncome = { GrossTotIncome: 900_000, TotalIncome: 750_000 };
  const longIncome = { GrossTotalIncome: 900_000, TotalIncome: 750_000 };
  assert.equal(figures('ITR1', { ITR1_IncomeDeductions: shortIncome, ...short }), known);
  assert.equal(figures('ITR4', { IncomeDeductions: shortIncome, ...short }), known);
  for (const form of ['ITR2', 'ITR3', 'ITR5', 'ITR6'])
    assert.equal(figures(form, { 'PartB-TI': longIncome, ...long }), known, form);
  // The gross income of a trust has another meaning.
  const trust = figures('ITR7', { PartB_TI: { GrossIncome: 1, TotalIncome: 750_000 }, ...long });
  assert.equal(trust, [undefined, ...known.slice(1)]);
});

test('a firm, a company and a trust are the assessees of their returns', () => {
  for (const form of ['ITR5', 'ITR6', 'ITR7']) {
    const OrgFirmInfo = {
      AssesseeName: { SurNameOrOrgName: 'MEHTA FOODS LLP' },
      PAN: 'AAAFZ0000A',
      DateOFFormOrIncorp: '2019-04-01',
    };
    const found = read({
      ITR: {
        [form]: {
          [`Form_${form}`]: { FormName: form, AssessmentYear: '2026' },
          PartA_GEN1: { OrgFirmInfo },
        },
      },
    });
    const value = (key: string) => found.fields.find((field) => field.key === key)?.value;
    assert.equal([found.type, found.year], ['itr', 2025], form);
    assert.equal(
      [value('name'), value('pan'), value('date_of_birth')],
      ['MEHTA FOODS LLP', 'AAAFZ0000A', '2019-04-01'],
      form,
    );
  }
});

test.run();
