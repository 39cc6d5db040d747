import type { ValueKind } from '../contract.ts';

const kinds = <K extends ValueKind, const N extends readonly string[]>(kind: K, names: N) =>
  Object.fromEntries(names.map((name) => [name, kind])) as Record<N[number], K>;

/**
 * Every field of any document type, with its kind. A key that ends in the name of an identifier (`employee_pan`) has
 * its shape, see `identifiers/shapes.ts`.
 */
export const FIELD_KINDS = {
  ...kinds('identifier', [
    // Of the document, whoever's they are.
    ...([
      'pan',
      'tan',
      'gstin',
      'cin',
      'llpin',
      'din',
      'udin',
      'mrn',
      'frn',
      'aadhaar',
      'ifsc',
      'vpa',
    ] as const),
    ...(['account_no', 'irn', 'eway_bill_no', 'arn', 'acknowledgement_no', 'bsr', 'udyam', 'uan'] as const),
    ...(['micr', 'crn', 'cpin', 'trrn', 'esi_code', 'pf_code', 'irn_ack_no', 'document_din'] as const),
    ...([
      'employer_pan',
      'employer_tan',
      'employee_pan',
      'deductor_pan',
      'deductor_tan',
      'deductee_pan',
    ] as const),
    ...(['supplier_gstin', 'buyer_gstin', 'supplier_pan', 'buyer_pan', 'transporter_gstin'] as const),
  ]),
  ...kinds('text', [
    ...(['name', 'father_name', 'address', 'gender', 'legal_name', 'trade_name', 'issuer'] as const),
    ...([
      'employer_name',
      'employee_name',
      'deductor_name',
      'deductee_name',
      'supplier_name',
      'buyer_name',
    ] as const),
    ...(['certificate_no', 'section', 'opted_out_115bac', 'form_name', 'filed_under', 'status'] as const),
    ...(['invoice_no', 'original_invoice_no', 'place_of_supply', 'reverse_charge', 'vehicle_no'] as const),
    ...(['constitution', 'registration_type', 'bank_name', 'branch', 'holder_name', 'currency'] as const),
    ...(['challan_no', 'bank_reference', 'major_head', 'minor_head', 'nature_of_payment', 'mode'] as const),
    ...(['notice_no', 'subject', 'signed_by', 'place', 'firm_name', 'opinion', 'unit', 'cheque_no'] as const),
    ...(['employee_id', 'designation', 'registrar', 'deed_kind', 'partners', 'pay_to', 'hsn'] as const),
  ]),
  ...kinds('date', [
    ...([
      'date',
      'date_of_birth',
      'date_of_incorporation',
      'last_updated',
      'period_from',
      'period_to',
    ] as const),
    ...(['date_of_filing', 'arn_date', 'invoice_date', 'due_date', 'valid_from', 'valid_until'] as const),
    ...(['original_invoice_date', 'deposit_date', 'date_of_liability', 'reply_by', 'irn_date'] as const),
  ]),
  ...kinds('period', ['year', 'period'] as const),
  ...kinds('number', ['paid_days', 'employees', 'tax_rate', 'shares'] as const),
  ...kinds('amount', [
    ...([
      'amount_paid',
      'tax_deducted',
      'tax_deposited',
      'gross_salary',
      'salary_17_1',
      'perquisites_17_2',
    ] as const),
    ...([
      'profits_17_3',
      'exempt_allowances',
      'standard_deduction',
      'professional_tax',
      'income_salary',
    ] as const),
    ...([
      'income_house_property',
      'income_business',
      'income_capital_gains',
      'income_other_sources',
    ] as const),
    ...([
      'gross_total_income',
      'deduction_80c',
      'deduction_80ccd_1b',
      'deduction_80d',
      'deductions_via',
    ] as const),
    ...([
      'total_income',
      'tax_on_income',
      'rebate_87a',
      'surcharge',
      'cess',
      'tax_payable',
      'relief_89',
    ] as const),
    ...([
      'net_tax_payable',
      'current_year_loss',
      'interest_and_fee',
      'total_tax',
      'taxes_paid',
      'refund',
    ] as const),
    ...(['payable', 'tds', 'tcs', 'advance_tax', 'self_assessment_tax'] as const),
    ...(['outward_taxable', 'outward_igst', 'outward_cgst', 'outward_sgst', 'outward_cess'] as const),
    ...(['zero_rated', 'exempt_supplies', 'inward_reverse_charge', 'non_gst'] as const),
    ...(['itc_igst', 'itc_cgst', 'itc_sgst', 'itc_cess', 'itc_reversed', 'turnover'] as const),
    ...(['itc_unavailable_igst', 'itc_unavailable_cgst', 'itc_unavailable_sgst'] as const),
    ...(['taxable_value', 'igst', 'cgst', 'sgst', 'gst_cess', 'round_off', 'total'] as const),
    ...([
      'tax',
      'interest',
      'penalty',
      'fee',
      'others',
      'employee_share',
      'employer_share',
      'wages',
    ] as const),
    ...(['pension_fund', 'admin_charges', 'edli'] as const),
    ...(['opening_balance', 'closing_balance', 'total_debits', 'total_credits', 'amount'] as const),
    ...(['total_assets', 'equity', 'share_capital', 'reserves', 'borrowings', 'trade_payables'] as const),
    ...(['trade_receivables', 'cash', 'revenue', 'total_expenses', 'profit_before_tax', 'profit'] as const),
    ...(['revenue_before', 'profit_before', 'total_assets_before'] as const),
    ...([
      'basic',
      'hra',
      'gross_earnings',
      'total_deductions',
      'net_pay',
      'pf_deduction',
      'esi_deduction',
    ] as const),
    ...(['demand', 'fees', 'capital', 'authorised_capital'] as const),
  ]),
} as const;
export type FieldKey = keyof typeof FIELD_KINDS;
