import type { Knex } from 'knex';
import type { DatabaseReader, DatabaseWriter, NamedItem, Row, Table, Value } from '../copy/contract.ts';
import { isVaultTable } from '../copy/contract.ts';
import { CannotCopy } from '../copy/copy-database.ts';
import { addEntries } from './item-search.ts';
import { putText } from './document-text.ts';

const BATCH_ROWS = 2000;
/** Two values each; a statement takes at most 65,535. */
const BATCH_NAMES = 2000;

const quoted = (name: string): string => `"${name}"`;
const quotedList = (columns: readonly string[]): string => columns.map(quoted).join(', ');

/** The types of columns, by table and column. */
async function columnTypes(db: Knex): Promise<Map<string, Map<string, string>>> {
  const rows: { name: string; column: string; type: string }[] = await db.raw(
    `SELECT c.relname AS name, a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.relname, a.attnum`,
  );
  const tables = new Map<string, Map<string, string>>();
  for (const { name, column, type } of rows.filter((row) => isVaultTable(row.name)))
    tables.set(name, (tables.get(name) ?? new Map<string, string>()).set(column, type));
  return tables;
}

async function tablesOf(db: Knex): Promise<Table[]> {
  const keys: { name: string; column: string }[] = await db.raw(
    `SELECT c.relname AS name, a.attname AS "column" FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
     CROSS JOIN unnest(x.indkey) WITH ORDINALITY AS k(number, position)
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
     WHERE x.indisprimary AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname, k.position`,
  );
  return [...(await columnTypes(db))].map(([name, columns]) => ({
    name,
    columns: [...columns.keys()],
    key: keys.filter((key) => key.name === name).map(({ column }) => column),
  }));
}

/** The rows of a query in batches, by a cursor. */
async function* batches<T>(trx: Knex.Transaction, sql: string): AsyncGenerator<T[]> {
  await trx.raw(`DECLARE reading NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    const batch = (await trx.raw(`FETCH ${BATCH_ROWS} FROM reading`)) as T[];
    if (batch.length === 0) break;
    yield batch;
  }
  await trx.raw('CLOSE reading');
}

/** @param trx which sees one snapshot: at isolation level `repeatable read`, or the only one that writes. */
export function postgresReader(trx: Knex.Transaction): DatabaseReader {
  return {
    tables: () => tablesOf(trx),

    async *rows({ name, columns, key }) {
      const sql = `SELECT ${quotedList(columns)} FROM ${quoted(name)} ORDER BY ${quotedList(key)}`;
      for await (const batch of batches<Record<string, Value>>(trx, sql))
        yield batch.map((row) => columns.map((column) => row[column]!));
    },

    async lastIds() {
      const rows: { name: string; last: number }[] = await trx.raw(
        `SELECT t.relname AS name, s.last_value AS last FROM pg_sequences s
         JOIN pg_class q ON q.relname = s.sequencename AND q.relnamespace = 'public'::regnamespace
         JOIN pg_depend d ON d.objid = q.oid AND d.deptype = 'i' JOIN pg_class t ON t.oid = d.refobjid
         WHERE s.schemaname = 'public' AND s.last_value IS NOT NULL`,
      );
      return new Map(rows.filter(({ name }) => isVaultTable(name)).map(({ name, last }) => [name, last]));
    },

    nameEntries: () =>
      batches<NamedItem>(
        trx,
        'SELECT i.id, i.firm_id, i.name FROM item_search s JOIN item_rows i ON i.id = s.id ORDER BY i.id',
      ),

    async *textEntries() {
      const sql = 'SELECT id, words, terms FROM document_text_search ORDER BY id';
      for await (const batch of batches<{ id: number; words: string; terms: string[] }>(trx, sql))
        yield batch.map(({ id, words, terms }) => {
          const nameHashes = terms.filter((term) => term.startsWith('n')).map((term) => term.slice(1));
          return { id, words: words.trim(), named: nameHashes.join(' ') };
        });
    },
  };
}

/**
 * Drops foreign keys and indexes, since maintaining them row by row is slow.
 * @returns the statements that restore them.
 */
async function dropKeysAndIndexes(trx: Knex.Transaction): Promise<string[]> {
  const keys: { table: string; name: string; definition: string }[] = await trx.raw(
    `SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of keys) await trx.raw(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`);
  const indexes: { name: string; definition: string }[] = await trx.raw(
    `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'knex%'
       AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)`,
  );
  for (const { name } of indexes) await trx.raw(`DROP INDEX ${quoted(name)}`);
  return [
    ...indexes.map(({ definition }) => definition),
    ...keys.map(
      ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`,
    ),
  ];
}

/** Fills a migrated database, within the transaction. Its rows are deleted first; keys, indexes and triggers are off until `finish`. */
export async function postgresWriter(trx: Knex.Transaction): Promise<DatabaseWriter> {
  const tables = await columnTypes(trx);
  const all = [...tables.keys()];
  await trx.raw(`TRUNCATE ${quotedList([...all, 'item_search', 'document_text_search'])} RESTART IDENTITY`);
  const restoring = await dropKeysAndIndexes(trx);
  for (const name of all) await trx.raw(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  return {
    ...postgresReader(trx),

    async insert({ name, columns }, rows: readonly Row[]) {
      const types = tables.get(name)!;
      const arrays = columns.map((column) => `?::${types.get(column)}[]`);
      const values = columns.map((_, index) => rows.map((row) => row[index]!));
      await trx
        .raw(
          `INSERT INTO ${quoted(name)} (${quotedList(columns)}) SELECT * FROM unnest(${arrays.join(', ')})`,
          values as unknown as Knex.RawBinding[],
        )
        .catch((error: Error) => {
          throw new CannotCopy(`PostgreSQL does not take a row of the table ${name}: ${error.message}`, {
            cause: error,
          });
        });
    },

    async insertNames(entries) {
      for (let start = 0; start < entries.length; start += BATCH_NAMES)
        await addEntries(trx, entries.slice(start, start + BATCH_NAMES));
    },
    async insertTexts(entries) {
      for (const entry of entries) await putText(trx, entry);
    },

    async setLastId(table, id) {
      // With 0 as the highest id, no value of the sequence has been used. Ids of reservations are random and exceed an integer.
      await trx.raw("SELECT setval(pg_get_serial_sequence(?, 'id'), greatest(?::bigint, 1), ?::bigint > 0)", [
        table,
        id,
        id,
      ]);
    },

    async finish() {
      for (const name of all) await trx.raw(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
      for (const sql of restoring) await trx.raw(sql.replaceAll('?', '\\?'));
      await trx.raw('ANALYZE');
    },
  };
}
