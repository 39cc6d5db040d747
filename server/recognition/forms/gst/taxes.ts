import type { ColumnRule } from '../../layout/table.ts';

/** The columns of amounts in tables of returns. */
export const TAX_COLUMNS: ColumnRule[] = [
  { key: 'taxable', isNumber: true, heads: 'total taxable value|taxable value|taxable amount|value' },
  { key: 'igst', isNumber: true, heads: 'integrated tax|igst|integrated' },
  { key: 'cgst', isNumber: true, heads: 'central tax|cgst|central' },
  { key: 'sgst', isNumber: true, heads: 'state/?ut tax|state tax|sgst(?:/utgst)?|state' },
  { key: 'cess', isNumber: true, heads: 'cess' },
];
export const TAX_NEEDS = [['igst'], ['cgst', 'sgst']];
