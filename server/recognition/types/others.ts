import type { TypeOf } from './type-of.ts';

/** Banks, accounts, letters, papers of identity, payroll. */
export const OTHER_TYPES = {
  bank_statement: {
    group: 'bank',
    fields: [
      'bank_name',
      'branch',
      'holder_name',
      'account_no',
      'ifsc',
      'micr',
      'currency',
      'period_from',
      'period_to',
      'opening_balance',
      'closing_balance',
      'total_debits',
      'total_credits',
    ],
    tables: ['transactions'],
  },
  cheque: {
    group: 'bank',
    fields: ['bank_name', 'pay_to', 'amount', 'date', 'cheque_no', 'account_no', 'ifsc', 'micr'],
  },
  balance_sheet: {
    group: 'accounts',
    fields: [
      ...([
        'name',
        'cin',
        'llpin',
        'date',
        'unit',
        'share_capital',
        'reserves',
        'equity',
        'borrowings',
      ] as const),
      ...(['trade_payables', 'trade_receivables', 'cash', 'total_assets', 'total_assets_before'] as const),
      ...([
        'revenue',
        'revenue_before',
        'total_expenses',
        'profit_before_tax',
        'profit',
        'profit_before',
      ] as const),
      ...(['udin', 'mrn', 'frn', 'firm_name', 'place'] as const),
    ],
  },
  audit_report: {
    group: 'accounts',
    fields: [
      'name',
      'cin',
      'pan',
      'date',
      'opinion',
      'firm_name',
      'frn',
      'signed_by',
      'mrn',
      'udin',
      'place',
    ],
  },
  notice: {
    group: 'letters',
    fields: [
      'issuer',
      'document_din',
      'notice_no',
      'date',
      'pan',
      'gstin',
      'name',
      'year',
      'section',
      'subject',
      'reply_by',
      'demand',
    ],
  },
  engagement_letter: {
    group: 'letters',
    fields: ['firm_name', 'frn', 'name', 'date', 'year', 'fees', 'signed_by', 'mrn', 'udin', 'place'],
  },
  // Known by people alone: no rule finds these.
  ledger: {
    group: 'accounts',
    fields: ['name', 'period_from', 'period_to', 'opening_balance', 'closing_balance'],
  },
  other: { group: 'other', fields: ['name', 'date'] },
  pan_card: {
    group: 'identity',
    fields: ['pan', 'name', 'father_name', 'date_of_birth', 'date_of_incorporation'],
  },
  aadhaar: { group: 'identity', fields: ['aadhaar', 'name', 'date_of_birth', 'gender', 'address'] },
  incorporation: {
    group: 'identity',
    fields: ['name', 'cin', 'llpin', 'pan', 'tan', 'date_of_incorporation', 'registrar', 'date'],
  },
  deed: { group: 'identity', fields: ['deed_kind', 'firm_name', 'partners', 'date', 'capital', 'place'] },
  payslip: {
    group: 'payroll',
    fields: [
      ...(['employer_name', 'employee_name', 'employee_id', 'designation', 'employee_pan', 'uan'] as const),
      ...(['account_no', 'period', 'paid_days', 'basic', 'hra', 'gross_earnings', 'pf_deduction'] as const),
      ...(['esi_deduction', 'professional_tax', 'tax_deducted', 'total_deductions', 'net_pay'] as const),
    ],
  },
} as const satisfies Record<string, TypeOf>;
