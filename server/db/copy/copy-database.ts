import { createHash } from 'node:crypto';
import type { DatabaseReader, DatabaseWriter, NamedItem, Row, Table } from './contract.ts';

/** The database cannot be copied without a loss; the message says why. Nothing was changed. */
export class CannotCopy extends Error {
  override name = 'CannotCopy';
}

export interface CopyResult {
  tables: number;
  rows: number;
  /** Entries of the two full-text indexes. */
  names: number;
  texts: number;
}

export interface CopyOptions {
  /** Makes the grams of an item's name for the index of names. */
  gramsOf: (firmId: number, name: string) => string;
  /** Receives a line of progress for each long table. */
  onProgress?: (line: string) => void;
}

/** A checksum of rows and their order, which is the same for the same rows in both databases. */
function createChecksum() {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add(rows: readonly Row[]) {
      count += rows.length;
      for (const row of rows)
        hash.update(
          `${JSON.stringify(row.map((value) => (Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value)))}\n`,
        );
    },
    result: () => ({ count, digest: hash.digest('hex') }),
  };
}

function requireSameTables(source: readonly Table[], target: readonly Table[]): void {
  const describe = (tables: readonly Table[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.toSorted().join(', ')})`);
  const [difference] = new Set(describe(source)).symmetricDifference(new Set(describe(target)));
  if (difference)
    throw new CannotCopy(`The tables of the two databases differ: ${difference}. Nothing was changed.`);
}

/** Copies the rows of a table, reads them back and compares. */
async function copyTable(source: DatabaseReader, target: DatabaseWriter, table: Table): Promise<number> {
  const [sent, stored] = [createChecksum(), createChecksum()];
  for await (const rows of source.rows(table)) {
    sent.add(rows);
    await target.insert(table, rows);
  }
  for await (const rows of target.rows(table)) stored.add(rows);
  const [before, after] = [sent.result(), stored.result()];
  if (before.count !== after.count || before.digest !== after.digest)
    throw new CannotCopy(
      `The table ${table.name} did not come over as it is: ${before.count} rows there, ${after.count} here, or others. Nothing was changed.`,
    );
  return before.count;
}

/**
 * Copies a complete database from one dialect to the other and verifies every table.
 * @throws {CannotCopy}
 */
export async function copyDatabase(
  source: DatabaseReader,
  target: DatabaseWriter,
  { gramsOf, onProgress }: CopyOptions,
): Promise<CopyResult> {
  const tables = await source.tables();
  requireSameTables(tables, await target.tables());
  const result: CopyResult = { tables: tables.length, rows: 0, names: 0, texts: 0 };
  for (const table of tables) {
    const rows = await copyTable(source, target, table);
    result.rows += rows;
    if (rows >= 100_000) onProgress?.(`${table.name}: ${rows} rows`);
  }
  for (const [table, id] of await source.lastIds()) await target.setLastId(table, id);
  const entryOf = ({ id, firm_id, name }: NamedItem) => ({ id, grams: gramsOf(firm_id, name) });
  for await (const items of source.nameEntries()) {
    result.names += items.length;
    await target.insertNames(items.map(entryOf));
  }
  for await (const entries of source.textEntries()) {
    result.texts += entries.length;
    await target.insertTexts(entries);
  }
  await target.finish();
  return result;
}
