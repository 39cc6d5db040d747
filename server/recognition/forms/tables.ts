import type { RecognisedTable, TableKey } from '../contract.ts';
import { TABLE_COLUMNS } from '../contract.ts';
import type { Reading } from './rules.ts';

/** Adds a table that has rows. */
export function addTable(
  { tables }: Pick<Reading, 'tables'>,
  key: TableKey,
  rows: RecognisedTable['rows'],
  breaks: number[] | null = null,
): void {
  if (rows.length === 0) return;
  const columns = Object.entries(TABLE_COLUMNS[key]).map(([name, kind]) => ({ key: name, kind }));
  tables.push({ key, columns, rows, breaks });
}
