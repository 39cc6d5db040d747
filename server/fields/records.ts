import type { Combined } from './combine.ts';
import type { FieldView, RecordCell } from './contract.ts';
import { nameOf } from './names.ts';

type Unnamed = Combined['fields'][number];

/** All values of a document; type and period first. */
export const allOf = ({ type, period, fields }: Combined): Unnamed[] => [type, period, ...fields];

const cellOf = ({ kind, key }: Pick<FieldView, 'kind' | 'key'>, value: string | null): RecordCell => {
  if (value === null) return null;
  if (key === 'type') return nameOf(value);
  return kind === 'amount' && Number.isSafeInteger(Number(value)) ? Number(value) / 100 : value;
};

export function recordsOf(one: Combined, name: (field: Unnamed) => FieldView): RecordCell[][] {
  const type = one.type.value && nameOf(one.type.value);
  return allOf(one)
    .map(name)
    .filter(({ value, read, answer }) => value !== null || read !== null || answer !== null)
    .map((field) => [
      type,
      one.period.value,
      nameOf(field.id),
      cellOf(field, field.value),
      cellOf(field, field.read),
      field.page,
      field.answer?.what ?? null,
      field.answer?.by ?? null,
      field.answer?.at ?? null,
    ]);
}
