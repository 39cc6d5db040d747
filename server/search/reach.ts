import type { Knex } from 'knex';
import { newestMatching } from '#server/db/full-text.ts';
import { EACH, checkOnly, countsOf, keptOrder, list, queryManyRows } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisible, visibleItems } from '#server/visibility/visible.ts';
import type { Placed } from './placed.ts';
import type { Candidate } from './rank.ts';
import type { Word } from './words.ts';

/** Items read below matching folders and of matching clients. Reading items is most of the cost of a search. */
const INSIDE = 1000;
/** When there are more, the newest are chosen from this many. */
const NEAR_INSIDE = 3000;
/** The limit when the index only tests which of them contain other words. */
const FAR_INSIDE = 8000;
/** Matches of the other words scanned for items of clients with very many items. */
const PASSED = 20_000;
/** The limit of a first scan: items of such large clients are frequent, so a short scan mostly finds enough. */
const PASSED_FIRST = 1000;
/** Above this number of items of the clients, scanning the matches is faster than listing the items. */
const MUCH = 4000;
/** Items read below the folder of the search. */
const BELOW = 2500;

/** A candidate with the columns that matching needs. */
export type Row = Candidate & Placed;

const FIELDS = ['id', 'name', 'type', 'modified_at', 'parent_id', 'client_id'] as const;
const COLUMNS = FIELDS.map((field) => `i.${field}`).join(', ');
const ofFirm = (viewer: FirmViewer): string => `${checkOnly('i.firm_id')} = ?${andVisible(viewer, 'i')}`;

const rows = (db: Knex, sql: string, bindings: Knex.RawBinding[]): Promise<Row[]> =>
  queryManyRows<Row>(db, FIELDS, sql, bindings);

/** The visible items with these ids; with `clients`, only theirs. */
export async function rowsOf(
  db: Knex,
  viewer: FirmViewer,
  ids: Iterable<number>,
  clients: Iterable<number> | null = null,
): Promise<Row[]> {
  const asked = list(ids);
  if (asked === '[]') return [];
  const among = clients ? ` AND ${checkOnly('i.client_id')} IN (${EACH})` : '';
  return rows(db, `SELECT ${COLUMNS} FROM items i WHERE i.id IN (${EACH}) AND ${ofFirm(viewer)}${among}`, [
    asked,
    viewer.firmId,
    ...(clients ? [list(clients)] : []),
  ]);
}

/** Defines `inside(id)`: the items below the folders and the items of the clients, at most `most` of each. */
const inside = (viewer: FirmViewer, most: number) => `WITH RECURSIVE below(id) AS (
    ${EACH}
    UNION
    SELECT i.id FROM below CROSS JOIN ${visibleItems(viewer)} i WHERE i.parent_id = below.id
  ), inside(id) AS (
    SELECT id FROM (SELECT id FROM below LIMIT ${most}) AS lower
    UNION
    SELECT id FROM (SELECT id FROM items WHERE client_id IN (${EACH}) LIMIT ${most}) AS theirs
  )`;

/** Folders and clients whose items are read. */
export interface Places {
  folders: readonly number[];
  clients: Iterable<number>;
}

const itemsOfClients = (most: number): string =>
  `SELECT id FROM items WHERE client_id IN (${EACH}) LIMIT ${most}`;

/** Selects at most `most` items of each of the folders and clients; without folders, no recursive query is needed. */
const some = (viewer: FirmViewer, { folders, clients }: Places, most: number) =>
  folders.length === 0
    ? {
        first: '',
        ids: itemsOfClients(most),
        bindings: [list(clients)],
      }
    : { first: inside(viewer, most), ids: 'SELECT id FROM inside', bindings: [list(folders), list(clients)] };

/** The items below the folders and of the clients; if there are too many, only the newest, and `all` is false. */
export async function rowsInside(
  db: Knex,
  viewer: FirmViewer,
  places: Places,
  most: number,
): Promise<{ rows: Row[]; all: boolean }> {
  const few = Math.max(INSIDE, most);
  if (places.folders.length === 0) {
    const clients = list(places.clients);
    const [count] = clients === '[]' ? [0] : await countsOf(db, itemsOfClients(few + 1), [clients]);
    return { rows: await rowsOfClients(db, viewer, clients, count! <= few ? few : most), all: count! <= few };
  }
  const { first, ids, bindings } = some(viewer, places, NEAR_INSIDE);
  const found = await queryManyRows<{ id: number }>(
    db,
    ['id'],
    `${first} SELECT id FROM (${ids}) AS these ORDER BY id DESC LIMIT ?`,
    [...bindings, few + 1],
  );
  const all = found.length <= few;
  const newest = (all ? found : found.slice(0, most)).map(({ id }) => id);
  return { rows: await rowsOf(db, viewer, newest), all };
}

/** The newest items of the clients, chosen from at most `NEAR_INSIDE`. @param clients a JSON array of ids. */
function rowsOfClients(db: Knex, viewer: FirmViewer, clients: string, most: number): Promise<Row[]> {
  if (clients === '[]') return Promise.resolve([]);
  const newest = `SELECT id FROM (${itemsOfClients(NEAR_INSIDE)}) AS these ORDER BY id DESC LIMIT ${most}`;
  return rows(
    db,
    `SELECT ${COLUMNS} FROM (${newest}) AS newest CROSS JOIN items i WHERE i.id = newest.id AND ${ofFirm(viewer)}`,
    [clients, viewer.firmId],
  );
}

/** The items below a folder; if there are too many, a part of them, and `all` is false. */
export async function rowsBelow(
  db: Knex,
  viewer: FirmViewer,
  folderId: number,
): Promise<{ rows: Row[]; all: boolean }> {
  const found = await rows(
    db,
    `${inside(viewer, BELOW)} SELECT ${COLUMNS} FROM inside CROSS JOIN items i
     WHERE i.id = inside.id AND ${checkOnly('i.firm_id')} = ? LIMIT ${BELOW}`,
    [list([folderId]), '[]', viewer.firmId],
  );
  return { rows: found, all: found.length < BELOW };
}

/** The expression for the names that may contain all the words; null if some word has none. */
const allOf = (words: readonly Word[]): string | null => {
  const questions = words.map(({ question }) => question);
  return questions.length === 0 || questions.includes(null) ? null : questions.join(' AND ');
};

/** The newest items below the folders and of the clients whose own names may contain all the words. */
export async function holdersInside(
  db: Knex,
  viewer: FirmViewer,
  words: readonly Word[],
  places: Places,
  most: number,
): Promise<Row[]> {
  const question = allOf(words);
  if (question === null) return [];
  const { first, ids, bindings } = some(viewer, places, FAR_INSIDE);
  const named = newestMatching(most, `SELECT id FROM (${ids}) AS these`);
  return rows(
    db,
    `${first} SELECT ${COLUMNS} FROM (${named}) AS named CROSS JOIN items i WHERE i.id = named.id AND ${ofFirm(viewer)}`,
    [...(first === '' ? [question, ...bindings] : [...bindings, question]), viewer.firmId],
  );
}

/** Clients whose names contain the same words. */
export interface Alike {
  clients: readonly number[];
  /** The words that their names do not contain. */
  others: readonly Word[];
}

/** For each group of clients, their items that may contain the words missing from the clients' names. */
export async function ofClients(
  db: Knex,
  viewer: FirmViewer,
  groups: readonly Alike[],
  most: number,
): Promise<Row[]> {
  const asked = groups.map(({ clients }) => list(clients));
  const counts = await countsOf(db, itemsOfClients(MUCH + 1), asked);
  const found = groups.map(async ({ clients, others }, at) => {
    const few = counts[at]! <= INSIDE;
    if (few || others.length === 0) return rowsOfClients(db, viewer, asked[at]!, few ? INSIDE : most);
    if (counts[at]! <= MUCH) return holdersInside(db, viewer, others, { folders: [], clients }, most);
    const question = allOf(others);
    if (question === null) return [];
    const among = (newest: number) =>
      rows(
        db,
        `SELECT ${COLUMNS} FROM (${newestMatching(newest)}) AS named CROSS JOIN items i
         WHERE i.id = named.id AND ${ofFirm(viewer)} AND ${checkOnly('i.client_id')} IN (${EACH})${keptOrder('named.id DESC')} LIMIT ${most}`,
        [question, viewer.firmId, asked[at]!],
      );
    const first = await among(PASSED_FIRST);
    return first.length === most ? first : among(PASSED);
  });
  return (await Promise.all(found)).flat();
}
