import type { Knex } from 'knex';
import { CannotCopy } from '../whole/copy.ts';
import type { Filling, NamedItem, Row, Side, Table, Value } from '../whole/sides.ts';
import { isOurs } from '../whole/sides.ts';
import { addEntries } from './full-text.ts';
import { putText } from './document-text.ts';

/** Rows at a time. */
const PART = 2000;
/** Names whose grams are written with one statement: it takes 65,535 values. */
const NAMES = 2000;

const quoted = (name: string): string => `"${name}"`;
const listed = (columns: readonly string[]): string => columns.map(quoted).join(', ');

/** The tables with the types of their columns. */
async function typedTables(db: Knex): Promise<Map<string, Map<string, string>>> {
  const rows: { name: string; column: string; type: string }[] = await db.raw(
    `SELECT c.relname AS name, a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.relname, a.attnum`,
  );
  const tables = new Map<string, Map<string, string>>();
  for (const { name, column, type } of rows.filter((row) => isOurs(row.name)))
    tables.set(name, (tables.get(name) ?? new Map<string, string>()).set(column, type));
  return tables;
}

async function tablesOf(db: Knex): Promise<Table[]> {
  const keys: { name: string; column: string }[] = await db.raw(
    `SELECT c.relname AS name, a.attname AS "column" FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
     CROSS JOIN unnest(x.indkey) WITH ORDINALITY AS k(number, place)
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
     WHERE x.indisprimary AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname, k.place`,
  );
  return [...(await typedTables(db))].map(([name, columns]) => ({
    name,
    columns: [...columns.keys()],
    key: keys.filter((one) => one.name === name).map(({ column }) => column),
  }));
}

/** The rows of a query, a part at a time. */
async function* parts<T>(trx: Knex.Transaction, sql: string): AsyncGenerator<T[]> {
  await trx.raw(`DECLARE reading NO SCROLL CURSOR FOR ${sql}`);
  for (;;) {
    const part = (await trx.raw(`FETCH ${PART} FROM reading`)) as T[];
    if (part.length === 0) break;
    yield part;
  }
  await trx.raw('CLOSE reading');
}

/** @param trx that sees one moment: it is `repeatable read`, or the only one that writes. */
export function postgresSide(trx: Knex.Transaction): Side {
  return {
    tables: () => tablesOf(trx),

    async *rows({ name, columns, key }) {
      const sql = `SELECT ${listed(columns)} FROM ${quoted(name)} ORDER BY ${listed(key)}`;
      for await (const part of parts<Record<string, Value>>(trx, sql))
        yield part.map((row) => columns.map((column) => row[column]!));
    },

    async numbers() {
      const rows: { name: string; last: number }[] = await trx.raw(
        `SELECT t.relname AS name, s.last_value AS last FROM pg_sequences s
         JOIN pg_class q ON q.relname = s.sequencename AND q.relnamespace = 'public'::regnamespace
         JOIN pg_depend d ON d.objid = q.oid AND d.deptype = 'i' JOIN pg_class t ON t.oid = d.refobjid
         WHERE s.schemaname = 'public' AND s.last_value IS NOT NULL`,
      );
      return new Map(rows.filter(({ name }) => isOurs(name)).map(({ name, last }) => [name, last]));
    },

    names: () =>
      parts<NamedItem>(
        trx,
        'SELECT i.id, i.firm_id, i.name FROM item_search s JOIN item_rows i ON i.id = s.id ORDER BY i.id',
      ),

    async *texts() {
      const sql = 'SELECT id, words, terms FROM document_text_search ORDER BY id';
      for await (const part of parts<{ id: number; words: string; terms: string[] }>(trx, sql))
        yield part.map(({ id, words, terms }) => {
          const named = terms.filter((term) => term.startsWith('n')).map((term) => term.slice(1));
          return { id, words: words.trim(), named: named.join(' ') };
        });
    },
  };
}

/** What is taken away while rows come, for each of them would be looked at for itself, and what brings it back. */
async function bareTables(trx: Knex.Transaction): Promise<string[]> {
  const keys: { at: string; name: string; made: string }[] = await trx.raw(
    `SELECT conrelid::regclass::text AS at, conname AS name, pg_get_constraintdef(oid) AS made
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  );
  for (const { at, name } of keys) await trx.raw(`ALTER TABLE ${at} DROP CONSTRAINT ${quoted(name)}`);
  const indexes: { name: string; made: string }[] = await trx.raw(
    `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS made FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'knex%'
       AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)`,
  );
  for (const { name } of indexes) await trx.raw(`DROP INDEX ${quoted(name)}`);
  return [
    ...indexes.map(({ made }) => made),
    ...keys.map(({ at, name, made }) => `ALTER TABLE ${at} ADD CONSTRAINT ${quoted(name)} ${made}`),
  ];
}

/** Fills a database that has been through its migrations; what it held goes. All of it is in the transaction. */
export async function fillPostgres(trx: Knex.Transaction): Promise<Filling> {
  const tables = await typedTables(trx);
  const all = [...tables.keys()];
  await trx.raw(`TRUNCATE ${listed([...all, 'item_search', 'document_text_search'])} RESTART IDENTITY`);
  const made = await bareTables(trx);
  for (const name of all) await trx.raw(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  return {
    ...postgresSide(trx),

    async add({ name, columns }, rows: readonly Row[]) {
      const types = tables.get(name)!;
      const arrays = columns.map((column) => `?::${types.get(column)}[]`);
      const values = columns.map((_, at) => rows.map((row) => row[at]!));
      await trx
        .raw(
          `INSERT INTO ${quoted(name)} (${listed(columns)}) SELECT * FROM unnest(${arrays.join(', ')})`,
          values as unknown as Knex.RawBinding[],
        )
        .catch((error: Error) => {
          throw new CannotCopy(`PostgreSQL does not take a row of the table ${name}: ${error.message}`, {
            cause: error,
          });
        });
    },

    async addNames(entries) {
      for (let at = 0; at < entries.length; at += NAMES) await addEntries(trx, entries.slice(at, at + NAMES));
    },
    async addTexts(entries) {
      for (const entry of entries) await putText(trx, entry);
    },

    async setNumber(table, last) {
      // Where the only row has the number 0, none was given out.
      await trx.raw("SELECT setval(pg_get_serial_sequence(?, 'id'), greatest(?, 1), ? > 0)", [
        table,
        last,
        last,
      ]);
    },

    async finish() {
      for (const name of all) await trx.raw(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
      for (const sql of made) await trx.raw(sql.replaceAll('?', '\\?'));
      await trx.raw('ANALYZE');
    },
  };
}
