import type { Combined, CombinedField } from './combine.ts';
import type { FieldView, RecordCell } from './contract.ts';
import { nameOf } from './names.ts';

/** All values of a document; type and period first. */
export const allFieldsOf = ({ type, period, fields }: Combined): CombinedField[] => [type, period, ...fields];

const cellOf = ({ kind, key }: Pick<FieldView, 'kind' | 'key'>, value: string | null): RecordCell => {
  if (value === null) return null;
  if (key === 'type') return nameOf(value);
  return kind === 'amount' && Number.isSafeInteger(Number(value)) ? Number(value) / 100 : value;
};

/** @param addUserName puts the user's name into the answer of a field. */
export function recordsOf(
  combined: Combined,
  addUserName: (field: CombinedField) => FieldView,
): RecordCell[][] {
  const type = combined.type.value && nameOf(combined.type.value);
  return allFieldsOf(combined)
    .map(addUserName)
    .filter(({ value, read, answer }) => value !== null || read !== null || answer !== null)
    .map((field) => [
      type,
      combined.period.value,
      nameOf(field.id),
      cellOf(field, field.value),
      cellOf(field, field.read),
      field.page,
      field.answer?.what ?? null,
      field.answer?.by ?? null,
      field.answer?.at ?? null,
    ]);
}
