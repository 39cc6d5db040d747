import { FILE_GROUPS } from '#server/documents/contract.ts';
import type { TypedFilter } from '#server/text/search-filters.ts';
import { documentTypes } from '#messages/documentTypes.ts';
import { GROUP_NAMES } from './fileGroup.ts';

/** A value that a filter can have. */
export interface Choice {
  value: string;
  label: string;
  note: string;
}

export const TYPES: readonly Choice[] = [
  ...Object.entries(documentTypes).map(([value, label]) => ({ value, label, note: '' })),
  ...(Object.keys(FILE_GROUPS) as (keyof typeof FILE_GROUPS)[]).map((value) => ({
    value,
    label: GROUP_NAMES[value],
    note: value === 'pdf' ? '' : FILE_GROUPS[value],
  })),
];

/** A filter's value as its chip shows it. */
export const filterLabel = ({ key, value }: Pick<TypedFilter, 'key' | 'value'>): string =>
  (key === 'type' && TYPES.find((choice) => choice.value === value)?.label) || value;
