import type { Knex } from 'knex';
import {
  BOUND_IDS,
  boundTupleRows,
  boundIdRows,
  bindList,
  numberOf,
  queryRow,
  queryRows,
} from '#server/db/sql.ts';
import type { Cover } from './cover.ts';
import type { Rule } from './rules.ts';
import { needClients, needTree, ofClient, onRow } from './rules.ts';

// Finds files under a rule in folders. A folder may contain a hundred thousand files that no rule affects: the queries
// first find the folders where a rule can apply, and read the files only there.

/** The table of the rows `i` of a tree `f.top`, and a further condition for belonging to it. */
export interface Source {
  table: string;
  and: string;
}
export const LIVE: Source = { table: 'items', and: '' };
export const TRASHED: Source = {
  table: 'item_rows',
  and: ' AND EXISTS (SELECT 1 FROM hidden_items h WHERE h.item_id = i.id AND h.trash = f.top)',
};

/** A folder in one of the trees, with the rules that apply to it. */
interface Folder {
  top: number;
  id: number;
  place: number;
  client: number;
}

/** A file under a rule, in the tree `top`. */
interface KeptFile {
  top: number;
  file: number;
}

/** The folders of these trees that are not exempt, with their rules; reads no files. */
export function foldersBelow(
  db: Knex,
  rules: readonly Rule[],
  tops: readonly Cover[],
  { table, and }: Source,
): Promise<Folder[]> {
  const [id, place, exempt] = [0, 1, 2].map((index) => numberOf('t.value', index));
  return queryRows(
    db,
    `WITH RECURSIVE f(top, id, place, exempt) AS (
       SELECT ${id}, ${id}, ${place}, ${exempt} <> 0 FROM ${boundTupleRows('t')}
       UNION ALL
       SELECT f.top, i.id, f.place | ${onRow(rules, 'i')}, f.exempt OR m.exempt_reason IS NOT NULL
       FROM f CROSS JOIN ${table} i LEFT JOIN retention_marks m ON m.item_id = i.id
       WHERE i.parent_id = f.id AND i.file_type IS NULL${and}
     ) SELECT f.top, f.id, f.place, ${ofClient(rules, 'x.scope_client_id')} AS client
     FROM f CROSS JOIN item_rows x ON x.id = f.id WHERE NOT f.exempt`,
    [bindList(tops.map((top) => [top.id, top.place, top.exempt === null ? 0 : 1]))],
  );
}

const NOT_EXEMPT =
  'NOT EXISTS (SELECT 1 FROM retention_marks m WHERE m.item_id = i.id AND m.exempt_reason IS NOT NULL)';

/** Files under a rule in these folders: at least one per tree that has any. */
export async function keptFilesIn(
  db: Knex,
  rules: readonly Rule[],
  folders: readonly Folder[],
  source: Source,
): Promise<KeptFile[]> {
  const all = await ownClientsUnderRule(db, rules, folders);
  const under = all ? folders : folders.filter(({ place, client }) => place !== 0 || client !== 0);
  const others = all ? [] : folders.filter(({ place, client }) => place === 0 && client === 0);
  return [
    ...(await firstKeptIn(db, rules, under, source)),
    ...(await filesWithOwnRule(db, rules, others, source)),
  ];
}

/** Whether files in these folders have clients of their own whose type has a rule; answered from an index. */
async function ownClientsUnderRule(
  db: Knex,
  rules: readonly Rule[],
  folders: readonly Folder[],
): Promise<boolean> {
  if (!needClients(rules) || folders.length === 0) return false;
  const row = await queryRow(
    db,
    `SELECT own.client FROM (
       SELECT DISTINCT i.client_id AS client FROM item_rows i
       WHERE i.parent_id IN (${BOUND_IDS}) AND i.file_type IS NOT NULL AND i.client_id IS NOT NULL
     ) AS own WHERE ${ofClient(rules, 'own.client')} <> 0 LIMIT 1`,
    [bindList(folders.map(({ id }) => id))],
  );
  return row !== undefined;
}

/** The first file under a rule in each of these folders; the query stops at the first match. */
async function firstKeptIn(
  db: Knex,
  rules: readonly Rule[],
  folders: readonly Folder[],
  { table, and }: Source,
): Promise<KeptFile[]> {
  if (folders.length === 0) return [];
  const [top, id, place, client] = [0, 1, 2, 3].map((index) => numberOf('t.value', index));
  const clientBits = ofClient(rules, 'i.client_id');
  const ofOwnClient =
    clientBits === '0' ? '0' : `(CASE WHEN i.client_id IS NULL THEN f.client ELSE ${clientBits} END)`;
  return queryRows(
    db,
    `WITH f(top, id, place, client) AS MATERIALIZED (SELECT ${top}, ${id}, ${place}, ${client} FROM ${boundTupleRows('t')})
     SELECT top, file FROM (
       SELECT f.top, (SELECT i.id FROM ${table} i WHERE i.parent_id = f.id${and}
         AND i.file_type IS NOT NULL AND (f.place | ${ofOwnClient} | ${onRow(rules, 'i')}) <> 0
         AND ${NOT_EXEMPT} LIMIT 1) AS file
       FROM f
     ) AS found WHERE file IS NOT NULL`,
    [bindList(folders.map((folder) => [folder.top, folder.id, folder.place, folder.client]))],
  );
}

/** One file per tree that itself has a rule, or a label with one. The query starts from these files, which are few. */
async function filesWithOwnRule(
  db: Knex,
  rules: readonly Rule[],
  folders: readonly Folder[],
  { table, and }: Source,
): Promise<KeptFile[]> {
  if (!needTree(rules) || folders.length === 0) return [];
  const [top, id] = [0, 1].map((index) => numberOf('t.value', index));
  return queryRows(
    db,
    `WITH f(top, id) AS MATERIALIZED (SELECT ${top}, ${id} FROM ${boundTupleRows('t')}),
     ruled(id) AS MATERIALIZED (
       SELECT l.item_id FROM item_labels l WHERE l.label_id IN (${BOUND_IDS}) UNION SELECT value FROM ${boundIdRows('r')}
     )
     SELECT f.top, min(i.id) AS file FROM ruled CROSS JOIN ${table} i ON i.id = ruled.id CROSS JOIN f ON f.id = i.parent_id
     WHERE i.file_type IS NOT NULL${and} AND ${NOT_EXEMPT} GROUP BY f.top`,
    [
      bindList(folders.map((folder) => [folder.top, folder.id])),
      bindList(rules.flatMap(({ label_id }) => label_id ?? [])),
      bindList(rules.flatMap(({ item_id }) => item_id ?? [])),
    ],
  );
}
