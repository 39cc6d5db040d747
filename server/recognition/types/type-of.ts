import type { FieldKey } from './fields.ts';
import type { TableKey } from './table-columns.ts';

/** By which screens put the types in order. */
export const TYPE_GROUPS = [
  ...([
    'income_tax',
    'gst',
    'trade',
    'payments',
    'bank',
    'accounts',
    'letters',
    'identity',
    'payroll',
    'other',
  ] as const),
] as const;
/** The type of a document that a person says is none of those that are known: nothing in it is asked, and it keeps its name. */
export const NONE_OF_THESE = 'other';
export type TypeGroup = (typeof TYPE_GROUPS)[number];

/** What a type of documents says. */
export interface TypeOf {
  group: TypeGroup;
  /** In the order in which screens show them. */
  fields: readonly FieldKey[];
  tables?: readonly TableKey[];
}
