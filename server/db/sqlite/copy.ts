import type { Knex } from 'knex';
import type { TextEntry } from '../document-text.ts';
import type { DatabaseReader, DatabaseWriter, NamedItem, Table, Value } from '../copy/contract.ts';
import { isVaultTable } from '../copy/contract.ts';
import { addEntries } from './item-search.ts';
import { putText } from './document-text.ts';

const BATCH_ROWS = 2000;
/** Below SQLite's limit of 32,766 bound values per statement. */
const MAX_BINDINGS = 30_000;
/** Documents whose hashes are collected in memory at a time. */
const BATCH_TEXTS = 5000;

const quoted = (name: string): string => `"${name}"`;
const quotedList = (columns: readonly string[]): string => columns.map(quoted).join(', ');
const placeholdersOf = (values: readonly unknown[]): string => `(${values.map(() => '?').join(', ')})`;

async function tablesOf(db: Knex): Promise<Table[]> {
  const names: { name: string }[] = await db.raw(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  const tables: Table[] = [];
  for (const { name } of names.filter((table) => isVaultTable(table.name))) {
    const columns: { name: string; pk: number }[] = await db.raw(`PRAGMA table_info(${quoted(name)})`);
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    tables.push({
      name,
      columns: columns.map((column) => column.name),
      key: key.map((column) => column.name),
    });
  }
  return tables;
}

/** Keyset pagination: each page starts after the last row of the one before. */
async function* paginate<T>(fetchAfter: (last: T | undefined) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let last: T | undefined; ;) {
    const page = await fetchAfter(last);
    if (page.length > 0) yield page;
    if (page.length < BATCH_ROWS) return;
    last = page.at(-1);
  }
}

/** @param db with a single connection, in a transaction, so that it does not see later changes. */
export function sqliteReader(db: Knex): DatabaseReader {
  return {
    tables: () => tablesOf(db),

    async *rows({ name, columns, key }) {
      const pages = paginate<Record<string, Value>>((last) => {
        const where = last ? `WHERE (${quotedList(key)}) > ${placeholdersOf(key)}` : '';
        return db.raw(
          `SELECT ${quotedList(columns)} FROM ${quoted(name)} ${where} ORDER BY ${quotedList(key)} LIMIT ${BATCH_ROWS}`,
          last ? key.map((column) => last[column]!) : [],
        );
      });
      for await (const page of pages) yield page.map((row) => columns.map((column) => row[column]!));
    },

    async lastIds() {
      const rows: { name: string; seq: number }[] = await db.raw('SELECT name, seq FROM sqlite_sequence');
      return new Map(rows.filter(({ name }) => isVaultTable(name)).map(({ name, seq }) => [name, seq]));
    },

    nameEntries: () =>
      paginate<NamedItem>((last) =>
        db.raw(
          `SELECT i.id, i.firm_id, i.name FROM item_search s JOIN item_rows i ON i.id = s.rowid
           WHERE s.rowid > ? ORDER BY s.rowid LIMIT ${BATCH_ROWS}`,
          [last?.id ?? 0],
        ),
      ),

    // The index stores no text, only the documents and positions of each term: the text is assembled from those.
    async *textEntries() {
      await db.raw('CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, document_text_search, instance)');
      try {
        const [{ last }] = await db.raw('SELECT max(rowid) AS last FROM document_text_search');
        for (let from = 0; from < (last ?? 0); from += BATCH_TEXTS) {
          const rows: { id: number; col: 'words' | 'named'; hashes: string }[] = await db.raw(
            `SELECT doc AS id, col, group_concat(term, ' ' ORDER BY offset) AS hashes FROM temp.terms
             WHERE doc > ? AND doc <= ? GROUP BY doc, col ORDER BY doc`,
            [from, from + BATCH_TEXTS],
          );
          const entries = new Map<number, TextEntry>();
          for (const { id, col, hashes } of rows)
            entries.set(id, { ...(entries.get(id) ?? { id, words: '', named: '' }), [col]: hashes });
          if (entries.size > 0) yield [...entries.values()];
        }
      } finally {
        await db.raw('DROP TABLE temp.terms');
      }
    },
  };
}

/**
 * Fills a database that was migrated and is otherwise empty. Triggers and indexes are dropped until `finish`.
 * @param trx on a connection with foreign keys switched off.
 */
export async function sqliteWriter(trx: Knex.Transaction): Promise<DatabaseWriter> {
  const dropped: { type: string; name: string; sql: string }[] = await trx.raw(
    "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL",
  );
  for (const { type, name } of dropped) await trx.raw(`DROP ${type} ${quoted(name)}`);
  // The rows that migrations insert come with the copy.
  for (const { name } of await tablesOf(trx)) await trx(name).delete();
  await trx.raw('DELETE FROM sqlite_sequence');
  return {
    ...sqliteReader(trx),

    async insert({ name, columns }, rows) {
      const batchSize = Math.max(1, Math.floor(MAX_BINDINGS / columns.length));
      for (let start = 0; start < rows.length; start += batchSize) {
        const batch = rows.slice(start, start + batchSize);
        const values = batch.map(placeholdersOf).join(', ');
        await trx.raw(
          `INSERT INTO ${quoted(name)} (${quotedList(columns)}) VALUES ${values}`,
          batch.flat() as Value[],
        );
      }
    },

    insertNames: (entries) => addEntries(trx, entries),
    async insertTexts(entries) {
      for (const entry of entries) await putText(trx, entry);
    },

    async setLastId(table, id) {
      await trx.raw('DELETE FROM sqlite_sequence WHERE name = ?', [table]);
      await trx.raw('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [table, id]);
    },

    async finish() {
      // Indexes first, then triggers.
      for (const { sql } of dropped.toSorted((a, b) => a.type.localeCompare(b.type)))
        await trx.raw(sql.replaceAll('?', '\\?'));
      const dangling: { table: string }[] = await trx.raw('PRAGMA foreign_key_check');
      if (dangling.length > 0)
        throw new Error(`A row of ${dangling[0]!.table} points to one that is not there.`);
    },
  };
}
