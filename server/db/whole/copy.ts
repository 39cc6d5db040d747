import { createHash } from 'node:crypto';
import type { Filling, NamedItem, Row, Side, Table } from './sides.ts';

/** It cannot be brought over as it is; the message says what. Nothing was changed. */
export class CannotCopy extends Error {
  override name = 'CannotCopy';
}

export interface CopiedWhole {
  tables: number;
  rows: number;
  /** In the index of names, and in that of what documents say. */
  names: number;
  texts: number;
}

/** Rows as one number: the same rows in the same order give the same, in whichever database they are. */
function createSum() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add(part: readonly Row[]) {
      rows += part.length;
      for (const row of part)
        hash.update(
          `${JSON.stringify(row.map((value) => (Buffer.isBuffer(value) ? { hex: value.toString('hex') } : value)))}\n`,
        );
    },
    end: () => ({ rows, sum: hash.digest('hex') }),
  };
}

function sameTables(from: readonly Table[], to: readonly Table[]): void {
  const inWords = (tables: readonly Table[]) =>
    tables.map(({ name, columns }) => `${name} (${columns.toSorted().join(', ')})`).toSorted();
  const [mine, theirs] = [inWords(from), inWords(to)];
  const other =
    mine.find((table) => !theirs.includes(table)) ?? theirs.find((table) => !mine.includes(table));
  if (other) throw new CannotCopy(`The tables of the two databases differ: ${other}. Nothing was changed.`);
}

async function copyTable(from: Side, to: Filling, table: Table): Promise<number> {
  const [given, came] = [createSum(), createSum()];
  for await (const rows of from.rows(table)) {
    given.add(rows);
    await to.add(table, rows);
  }
  for await (const rows of to.rows(table)) came.add(rows);
  const [before, after] = [given.end(), came.end()];
  if (before.rows !== after.rows || before.sum !== after.sum)
    throw new CannotCopy(
      `The table ${table.name} did not come over as it is: ${before.rows} rows there, ${after.rows} here, or others. Nothing was changed.`,
    );
  return before.rows;
}

/**
 * Copies a whole database to the other side, and reads every table back: the number of its rows and the sum of all that stands in
 * them must be the same.
 * @param gramsOf what the index of names keeps of a name.
 * @throws {CannotCopy}
 */
export async function copyWhole(
  from: Side,
  to: Filling,
  { gramsOf, told }: { gramsOf: (firmId: number, name: string) => string; told?: (line: string) => void },
): Promise<CopiedWhole> {
  const tables = await from.tables();
  sameTables(tables, await to.tables());
  const copied: CopiedWhole = { tables: tables.length, rows: 0, names: 0, texts: 0 };
  for (const table of tables) {
    const rows = await copyTable(from, to, table);
    copied.rows += rows;
    if (rows >= 100_000) told?.(`${table.name}: ${rows} rows`);
  }
  for (const [table, last] of await from.numbers()) await to.setNumber(table, last);
  const entry = ({ id, firm_id, name }: NamedItem) => ({ id, grams: gramsOf(firm_id, name) });
  for await (const items of from.names()) {
    copied.names += items.length;
    await to.addNames(items.map(entry));
  }
  for await (const entries of from.texts()) {
    copied.texts += entries.length;
    await to.addTexts(entries);
  }
  await to.finish();
  return copied;
}
