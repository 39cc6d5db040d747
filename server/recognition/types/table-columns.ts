import type { ValueKind } from '../contract.ts';

/** The tables that types of documents have, with the columns of each in their order. */
export const TABLE_COLUMNS = {
  quarters: {
    quarter: 'period',
    receipt_no: 'text',
    amount_paid: 'amount',
    tax_deducted: 'amount',
    tax_deposited: 'amount',
  },
  tax_challans: { amount: 'amount', bsr: 'identifier', date: 'date', serial: 'text', status: 'text' },
  tax_deducted: {
    name: 'text',
    tan: 'identifier',
    section: 'text',
    date: 'date',
    status: 'text',
    amount_paid: 'amount',
    tax_deducted: 'amount',
    tax_deposited: 'amount',
  },
  information: { code: 'text', description: 'text', source: 'text', count: 'number', amount: 'amount' },
  payments_by_quarter: {
    code: 'text',
    source: 'text',
    quarter: 'period',
    date: 'date',
    amount_paid: 'amount',
    tax_deducted: 'amount',
    tax_deposited: 'amount',
    status: 'text',
  },
  transactions: {
    date: 'date',
    value_date: 'date',
    narration: 'text',
    reference: 'text',
    debit: 'amount',
    credit: 'amount',
    balance: 'amount',
  },
  lines: {
    description: 'text',
    hsn: 'text',
    quantity: 'number',
    rate: 'amount',
    taxable_value: 'amount',
    tax_rate: 'number',
    amount: 'amount',
  },
  invoices: {
    gstin: 'identifier',
    name: 'text',
    invoice_no: 'text',
    date: 'date',
    taxable_value: 'amount',
    igst: 'amount',
    cgst: 'amount',
    sgst: 'amount',
    total: 'amount',
  },
} as const satisfies Record<string, Record<string, ValueKind>>;
export type TableKey = keyof typeof TABLE_COLUMNS;
