import type { Knex } from 'knex';
import type { TextEntry } from '../document-text.ts';
import type { Filling, NamedItem, Row, Side, Table, Value } from '../whole/sides.ts';
import { isOurs } from '../whole/sides.ts';
import { addEntries } from './full-text.ts';
import { putText } from './document-text.ts';

/** Rows at a time. */
const PART = 2000;
/** Values that SQLite takes with one statement. */
const VALUES = 30_000;
/** Documents whose words are put together at a time: what they say is held in memory. */
const TEXTS = 5000;

const quoted = (name: string): string => `"${name}"`;
const listed = (columns: readonly string[]): string => columns.map(quoted).join(', ');
const marks = (values: readonly unknown[]): string => `(${values.map(() => '?').join(', ')})`;

async function tablesOf(db: Knex): Promise<Table[]> {
  const names: { name: string }[] = await db.raw(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  const tables: Table[] = [];
  for (const { name } of names.filter((one) => isOurs(one.name))) {
    const columns: { name: string; pk: number }[] = await db.raw(`PRAGMA table_info(${quoted(name)})`);
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    tables.push({ name, columns: columns.map((one) => one.name), key: key.map((one) => one.name) });
  }
  return tables;
}

/** A page after another, each by the key of the last row of the one before. */
async function* paged<T>(ask: (after: T | undefined) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let last: T | undefined; ;) {
    const page = await ask(last);
    if (page.length > 0) yield page;
    if (page.length < PART) return;
    last = page.at(-1);
  }
}

/** @param db with one connection. What changes meanwhile is not for it to see: a transaction is begun for that outside. */
export function sqliteSide(db: Knex): Side {
  return {
    tables: () => tablesOf(db),

    async *rows({ name, columns, key }) {
      const pages = paged<Record<string, Value>>((after) => {
        const beyond = after ? `WHERE (${listed(key)}) > ${marks(key)}` : '';
        const from = `SELECT ${listed(columns)} FROM ${quoted(name)} ${beyond}`;
        return db.raw(
          `${from} ORDER BY ${listed(key)} LIMIT ${PART}`,
          after ? key.map((one) => after[one]!) : [],
        );
      });
      for await (const page of pages) yield page.map((row) => columns.map((column) => row[column]!));
    },

    async numbers() {
      const rows: { name: string; seq: number }[] = await db.raw('SELECT name, seq FROM sqlite_sequence');
      return new Map(rows.filter(({ name }) => isOurs(name)).map(({ name, seq }) => [name, seq]));
    },

    names: () =>
      paged<NamedItem>((after) =>
        db.raw(
          `SELECT i.id, i.firm_id, i.name FROM item_search s JOIN item_rows i ON i.id = s.rowid
           WHERE s.rowid > ? ORDER BY s.rowid LIMIT ${PART}`,
          [after?.id ?? 0],
        ),
      ),

    // The index keeps no text, but in which documents, and where, each word stands.
    async *texts() {
      await db.raw('CREATE VIRTUAL TABLE temp.said USING fts5vocab(main, document_text_search, instance)');
      try {
        const [{ last }] = await db.raw('SELECT max(rowid) AS last FROM document_text_search');
        for (let from = 0; from < (last ?? 0); from += TEXTS) {
          const rows: { id: number; col: 'words' | 'named'; hashes: string }[] = await db.raw(
            `SELECT doc AS id, col, group_concat(term, ' ' ORDER BY offset) AS hashes FROM temp.said
             WHERE doc > ? AND doc <= ? GROUP BY doc, col ORDER BY doc`,
            [from, from + TEXTS],
          );
          const entries = new Map<number, TextEntry>();
          for (const { id, col, hashes } of rows)
            entries.set(id, { ...(entries.get(id) ?? { id, words: '', named: '' }), [col]: hashes });
          if (entries.size > 0) yield [...entries.values()];
        }
      } finally {
        await db.raw('DROP TABLE temp.said');
      }
    },
  };
}

/**
 * Fills a database that has been through its migrations and holds nothing else.
 * @param trx of one connection that does not look at foreign keys.
 */
export async function fillSqlite(trx: Knex.Transaction): Promise<Filling> {
  const made: { type: string; name: string; sql: string }[] = await trx.raw(
    "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL",
  );
  for (const { type, name } of made) await trx.raw(`DROP ${type} ${quoted(name)}`);
  // What the migrations themselves have put there.
  for (const { name } of await tablesOf(trx)) await trx(name).delete();
  await trx.raw('DELETE FROM sqlite_sequence');
  return {
    ...sqliteSide(trx),

    async add({ name, columns }, rows) {
      const most = Math.max(1, Math.floor(VALUES / columns.length));
      for (let at = 0; at < rows.length; at += most) {
        const some: readonly Row[] = rows.slice(at, at + most);
        const values = some.map(marks).join(', ');
        await trx.raw(
          `INSERT INTO ${quoted(name)} (${listed(columns)}) VALUES ${values}`,
          some.flat() as Value[],
        );
      }
    },

    addNames: (entries) => addEntries(trx, entries),
    async addTexts(entries) {
      for (const entry of entries) await putText(trx, entry);
    },

    async setNumber(table, last) {
      await trx.raw('DELETE FROM sqlite_sequence WHERE name = ?', [table]);
      await trx.raw('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [table, last]);
    },

    async finish() {
      for (const { sql } of made.toSorted((a, b) => a.type.localeCompare(b.type)))
        await trx.raw(sql.replaceAll('?', '\\?'));
      const astray: { table: string }[] = await trx.raw('PRAGMA foreign_key_check');
      if (astray.length > 0) throw new Error(`A row of ${astray[0]!.table} points to one that is not there.`);
    },
  };
}
