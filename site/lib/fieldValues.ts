import type { FieldView } from '#server/fields/contract.ts';
import type { FieldKey, TableKey, ValueKind } from '#server/recognition/contract.ts';
import { DOCUMENT_TYPES } from '#server/recognition/contract.ts';
import { formatAmount } from '#server/text/rupees.ts';
import { documentTypes } from '#messages/documentTypes.ts';
import * as t from '#messages/fields.ts';
import { formatDate } from './format.ts';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** `₹ 1,20,000.00` from paise; unchanged if it is no safe integer. */
function amountInRupees(paise: string): string {
  const amount = Number(paise);
  if (!Number.isSafeInteger(amount)) return paise;
  return `${amount < 0 ? '−' : ''}₹ ${formatAmount(Math.abs(amount))}`;
}

/** `FY 2025-26`, `Apr 2025`, `Q1 2025-26`. */
function formatPeriod(period: string): string {
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(period);
  if (month) return MONTH.format(Date.UTC(Number(month[1]), Number(month[2]) - 1));
  const quarter = /^(\d{4}-\d{2}) (Q[1-4])$/.exec(period);
  return quarter ? `${quarter[2]} ${quarter[1]}` : period;
}

/** Formats a normalised value for display. With the key `aadhaar`, four digits are shown as the last of a masked number. */
export function formatValue(kind: ValueKind, value: string, key = ''): string {
  if (kind === 'amount') return amountInRupees(value);
  if (kind === 'date') return formatDate(`${value}T00:00:00Z`) || value;
  if (kind === 'period') return formatPeriod(value);
  return key === 'aadhaar' && /^\d{4}$/.test(value) ? t.aadhaarMasked(value) : value;
}

/** Formats a value for an input field: `1,20,000.00`, `07-04-2026`. */
export function editableValue(kind: ValueKind, value: string): string {
  if (kind === 'amount') return amountInRupees(value).replace('₹ ', '').replace('−', '-');
  const day = kind === 'date' ? /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) : null;
  if (day) return `${day[3]}-${day[2]}-${day[1]}`;
  return kind === 'period' ? formatPeriod(value) : value;
}

/** A field's display name. */
export function nameOfField({ id, key }: Pick<FieldView, 'id' | 'key'>): string {
  const name = t.keys[key as FieldKey] ?? key;
  const nth = id.split('~')[1];
  return nth ? t.numbered(name, nth) : name;
}
export const nameOfType = (type: string | null): string =>
  type === null ? t.noType : (documentTypes[type as keyof typeof documentTypes] ?? type);
export const nameOfTable = (key: string): string => t.tables[key as TableKey] ?? key;
export const nameOfColumn = (key: string): string => t.columns[key] ?? key;

/** Sorts fields in the order of the document type; unknown fields come last. */
function sortFields(fields: readonly FieldView[], type: string | null): FieldView[] {
  const isKnownType = type !== null && Object.hasOwn(DOCUMENT_TYPES, type);
  const order: readonly string[] = isKnownType
    ? DOCUMENT_TYPES[type as keyof typeof DOCUMENT_TYPES].fields
    : [];
  const position = ({ key }: FieldView) => (order.includes(key) ? order.indexOf(key) : order.length);
  return fields.toSorted((a, b) => position(a) - position(b));
}

type FieldGroup = 'details' | 'dates' | 'amounts';
const GROUPS: Record<ValueKind, FieldGroup> = {
  text: 'details',
  identifier: 'details',
  number: 'details',
  date: 'dates',
  period: 'dates',
  amount: 'amounts',
};
/** The non-empty groups, each with its sorted fields. */
export function groupFields(
  fields: readonly FieldView[],
  type: string | null,
): { group: FieldGroup; fields: FieldView[] }[] {
  const ordered = sortFields(fields, type);
  return (['details', 'dates', 'amounts'] as const)
    .map((group) => ({ group, fields: ordered.filter(({ kind }) => GROUPS[kind] === group) }))
    .filter((group) => group.fields.length > 0);
}
