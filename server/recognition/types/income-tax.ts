import type { TypeOf } from './type-of.ts';

/** Certificates, statements and returns of income tax. */
export const INCOME_TAX_TYPES = {
  form_16: {
    group: 'income_tax',
    fields: [
      ...(['certificate_no', 'last_updated', 'employer_name', 'employer_pan', 'employer_tan'] as const),
      ...(['employee_name', 'employee_pan', 'year', 'period_from', 'period_to', 'amount_paid'] as const),
      ...(['tax_deducted', 'tax_deposited', 'salary_17_1', 'perquisites_17_2', 'profits_17_3'] as const),
      ...(['gross_salary', 'exempt_allowances', 'standard_deduction', 'professional_tax'] as const),
      ...(['income_salary', 'income_other_sources', 'gross_total_income', 'deduction_80c'] as const),
      ...([
        'deduction_80ccd_1b',
        'deduction_80d',
        'deductions_via',
        'total_income',
        'tax_on_income',
      ] as const),
      ...(['rebate_87a', 'surcharge', 'cess', 'tax_payable', 'relief_89', 'net_tax_payable'] as const),
      'opted_out_115bac',
    ],
    tables: ['quarters', 'tax_challans'],
  },
  form_16a: {
    group: 'income_tax',
    fields: [
      ...(['certificate_no', 'last_updated', 'deductor_name', 'deductor_pan', 'deductor_tan'] as const),
      ...(['deductee_name', 'deductee_pan', 'year', 'period_from', 'period_to', 'section'] as const),
      ...(['amount_paid', 'tax_deducted', 'tax_deposited'] as const),
    ],
    tables: ['tax_challans'],
  },
  form_26as: {
    group: 'income_tax',
    fields: [
      'pan',
      'name',
      'year',
      'status',
      'date',
      'address',
      'amount_paid',
      'tax_deducted',
      'tax_deposited',
    ],
    tables: ['tax_deducted'],
  },
  ais: {
    group: 'income_tax',
    fields: ['pan', 'aadhaar', 'name', 'date_of_birth', 'year', 'address'],
    tables: ['information', 'payments_by_quarter'],
  },
  tis: {
    group: 'income_tax',
    fields: ['pan', 'aadhaar', 'name', 'date_of_birth', 'year'],
    tables: ['information'],
  },
  itr_v: {
    group: 'income_tax',
    fields: [
      ...([
        'pan',
        'name',
        'year',
        'form_name',
        'filed_under',
        'acknowledgement_no',
        'date_of_filing',
      ] as const),
      ...(['status', 'current_year_loss', 'total_income', 'net_tax_payable', 'interest_and_fee'] as const),
      ...(['total_tax', 'taxes_paid', 'payable', 'refund'] as const),
    ],
  },
  itr: {
    group: 'income_tax',
    fields: [
      'form_name',
      'name',
      'pan',
      'date_of_birth',
      'aadhaar',
      'year',
      'gross_total_income',
      'total_income',
      'total_tax',
      'taxes_paid',
      'payable',
      'refund',
    ],
  },
  computation: {
    group: 'income_tax',
    fields: [
      ...(['name', 'father_name', 'pan', 'date_of_birth', 'status', 'year', 'income_salary'] as const),
      ...(['income_house_property', 'income_business', 'income_capital_gains'] as const),
      ...(['income_other_sources', 'gross_total_income', 'deductions_via', 'total_income'] as const),
      ...(['tax_on_income', 'rebate_87a', 'surcharge', 'cess', 'total_tax', 'tds', 'tcs'] as const),
      ...(['advance_tax', 'self_assessment_tax', 'payable', 'refund'] as const),
    ],
  },
} as const satisfies Record<string, TypeOf>;
