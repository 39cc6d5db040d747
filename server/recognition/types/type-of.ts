import type { FieldKey } from './fields.ts';
import type { TableKey } from './table-columns.ts';

/** The groups, in the order of the interface. */
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
/**
 * The type of a document that a user marked as none of the known ones: nothing in it is to be checked, and it keeps
 * its name.
 */
export const NONE_OF_THESE = 'other';
export type TypeGroup = (typeof TYPE_GROUPS)[number];

/** A document type. */
export interface TypeOf {
  group: TypeGroup;
  /** In the order of the interface. */
  fields: readonly FieldKey[];
  tables?: readonly TableKey[];
}
