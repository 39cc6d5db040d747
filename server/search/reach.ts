import type { Knex } from 'knex';
import { newestMatching } from '#server/db/full-text.ts';
import { EACH, checkOnly, countsOf, keptOrder, list, queryManyRows } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisible, visibleItems } from '#server/visibility/visible.ts';
import type { Placed } from './placed.ts';
import type { Candidate } from './rank.ts';
import type { Word } from './words.ts';

/** Items below folders and of clients that are named so, read altogether. To read one costs most of a search. */
const INSIDE = 1000;
/** Those among which some are read of more. */
const NEAR_INSIDE = 3000;
/** The same when it is only asked which of them hold other words themselves. */
const FAR_INSIDE = 8000;
/** Of what holds the other words, so much is passed to find what belongs to clients that hold very much. */
const PASSED = 20_000;
/** The same at first: clients that hold very much are met among few. */
const PASSED_FIRST = 1000;
/** From here on it is sooner passed than noted what they hold. */
const MUCH = 4000;
/** What lies below the folder that is searched in, looked at altogether. */
const BELOW = 2500;

/** An item that may match. */
export type Row = Candidate & Placed;

const FIELDS = ['id', 'name', 'type', 'modified_at', 'parent_id', 'client_id'] as const;
const COLUMNS = FIELDS.map((field) => `i.${field}`).join(', ');
const ofFirm = (viewer: FirmViewer): string => `${checkOnly('i.firm_id')} = ?${andVisible(viewer, 'i')}`;

const rows = (db: Knex, sql: string, bindings: Knex.RawBinding[]): Promise<Row[]> =>
  queryManyRows<Row>(db, FIELDS, sql, bindings);

/** The items with these ids; with `clients` only what belongs to one of them. */
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

/** `inside(id)`: what lies below the folders, and what belongs to the clients, up to a number of each. */
const inside = (viewer: FirmViewer, most: number) => `WITH RECURSIVE below(id) AS (
    ${EACH}
    UNION
    SELECT i.id FROM below CROSS JOIN ${visibleItems(viewer)} i WHERE i.parent_id = below.id
  ), inside(id) AS (
    SELECT id FROM (SELECT id FROM below LIMIT ${most}) AS lower
    UNION
    SELECT id FROM (SELECT id FROM items WHERE client_id IN (${EACH}) LIMIT ${most}) AS theirs
  )`;

/** Folders and clients, for what lies in them. */
export interface Places {
  folders: readonly number[];
  clients: Iterable<number>;
}

const itemsOfClients = (most: number): string =>
  `SELECT id FROM items WHERE client_id IN (${EACH}) LIMIT ${most}`;

/** Selects some of what lies below the folders and belongs to the clients; nothing is walked where there are none. */
const some = (viewer: FirmViewer, { folders, clients }: Places, most: number) =>
  folders.length === 0
    ? {
        first: '',
        ids: itemsOfClients(most),
        bindings: [list(clients)],
      }
    : { first: inside(viewer, most), ids: 'SELECT id FROM inside', bindings: [list(folders), list(clients)] };

/** All that lies below the folders and belongs to the clients; of very much, some of the newest. */
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

/** So many of the newest items of the clients, whose ids are bound as one list; of very many, of a part of them. */
function rowsOfClients(db: Knex, viewer: FirmViewer, clients: string, most: number): Promise<Row[]> {
  if (clients === '[]') return Promise.resolve([]);
  const newest = `SELECT id FROM (${itemsOfClients(NEAR_INSIDE)}) AS these ORDER BY id DESC LIMIT ${most}`;
  return rows(
    db,
    `SELECT ${COLUMNS} FROM (${newest}) AS newest CROSS JOIN items i WHERE i.id = newest.id AND ${ofFirm(viewer)}`,
    [clients, viewer.firmId],
  );
}

/** All that lies below a folder, or a part of it when that is very much. */
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

/** What asks the index for the names that may hold all the words; null when it cannot be asked so. */
const allOf = (words: readonly Word[]): string | null => {
  const questions = words.map(({ question }) => question);
  return questions.length === 0 || questions.includes(null) ? null : questions.join(' AND ');
};

/** Of what lies below the folders and belongs to the clients, the newest that may hold all the words themselves. */
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

/** Clients in whose names the same words stand. */
export interface Alike {
  clients: readonly number[];
  /** The words that do not stand there. */
  others: readonly Word[];
}

/** Of the clients' items, for each group of them, those that may hold the words that the clients do not. */
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
