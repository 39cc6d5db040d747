import type { Knex } from 'knex';
import { newestMatching } from '#server/db/item-search.ts';
import {
  BOUND_IDS,
  checkOnly,
  boundIdRows,
  countsOf,
  bindList,
  queryManyRows,
  subqueryOrder,
} from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisible, visibleItems } from '#server/visibility/visible.ts';
import type { MatchableItem } from './item-filter.ts';
import type { Candidate } from './rank.ts';
import type { QueryWord } from './words.ts';

/** Items read below matching folders and of matching clients. Reading items is most of the cost of a search. */
const MAX_INSIDE = 1000;
/** When there are more, the newest are chosen from this many. */
const MAX_SORTED_INSIDE = 3000;
/** The limit when the items are not read: the index tests which of them contain the other words. */
const MAX_TESTED_INSIDE = 8000;
/** Matches of the other words scanned for items of clients with very many items. */
const MAX_SCANNED = 20_000;
/** The limit of a first scan: items of such large clients are frequent, so a short scan mostly finds enough. */
const FIRST_SCAN = 1000;
/** Above this number of items of the clients, scanning the matches is faster than listing the items. */
const MAX_LISTED = 4000;
/** Items read below the folder of the search. */
const MAX_BELOW = 2500;

/** A candidate with the columns that matching needs. */
export type Row = Candidate & MatchableItem;

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
  const idList = bindList(ids);
  if (idList === '[]') return [];
  const ofTheseClients = clients ? ` AND ${checkOnly('i.client_id')} IN (${BOUND_IDS})` : '';
  return rows(
    db,
    `SELECT ${COLUMNS} FROM items i WHERE i.id IN (${BOUND_IDS}) AND ${ofFirm(viewer)}${ofTheseClients}`,
    [idList, viewer.firmId, ...(clients ? [bindList(clients)] : [])],
  );
}

/** A join, since PostgreSQL would look up all items of all these clients for an `IN`, whatever the limit. */
const itemsOfClients = (most: number): string =>
  `SELECT i.id FROM ${boundIdRows('c')} CROSS JOIN items i WHERE i.client_id = c.value LIMIT ${most}`;

/** Defines `inside(id)`: the items below the folders and the items of the clients, at most `most` of each. */
const insideCte = (viewer: FirmViewer, most: number) => `WITH RECURSIVE below(id) AS (
    ${BOUND_IDS}
    UNION
    SELECT i.id FROM below CROSS JOIN ${visibleItems(viewer)} i WHERE i.parent_id = below.id
  ), inside(id) AS (
    SELECT id FROM (SELECT id FROM below LIMIT ${most}) AS lower
    UNION
    SELECT id FROM (${itemsOfClients(most)}) AS theirs
  )`;

/** Folders and clients whose items are read. */
interface FoldersAndClients {
  folders: readonly number[];
  clients: Iterable<number>;
}

/** Selects at most `most` items of each of the folders and clients; without folders, no recursive query is needed. */
const itemIdsQuery = (viewer: FirmViewer, { folders, clients }: FoldersAndClients, most: number) =>
  folders.length === 0
    ? {
        withClause: '',
        ids: itemsOfClients(most),
        bindings: [bindList(clients)],
      }
    : {
        withClause: insideCte(viewer, most),
        ids: 'SELECT id FROM inside',
        bindings: [bindList(folders), bindList(clients)],
      };

/** The items below the folders and of the clients; if there are too many, only the newest, and `all` is false. */
export async function rowsInside(
  db: Knex,
  viewer: FirmViewer,
  places: FoldersAndClients,
  most: number,
): Promise<{ rows: Row[]; all: boolean }> {
  const completeLimit = Math.max(MAX_INSIDE, most);
  if (places.folders.length === 0) {
    const clients = bindList(places.clients);
    const [count] = clients === '[]' ? [0] : await countsOf(db, itemsOfClients(completeLimit + 1), [clients]);
    return {
      rows: await rowsOfClients(db, viewer, clients, count! <= completeLimit ? completeLimit : most),
      all: count! <= completeLimit,
    };
  }
  const { withClause, ids, bindings } = itemIdsQuery(viewer, places, MAX_SORTED_INSIDE);
  const found = await queryManyRows<{ id: number }>(
    db,
    ['id'],
    `${withClause} SELECT id FROM (${ids}) AS these ORDER BY id DESC LIMIT ?`,
    [...bindings, completeLimit + 1],
  );
  const all = found.length <= completeLimit;
  const newest = (all ? found : found.slice(0, most)).map(({ id }) => id);
  return { rows: await rowsOf(db, viewer, newest), all };
}

/** The newest items of the clients, chosen from at most `MAX_SORTED_INSIDE`. @param clients a JSON array of ids. */
function rowsOfClients(db: Knex, viewer: FirmViewer, clients: string, most: number): Promise<Row[]> {
  if (clients === '[]') return Promise.resolve([]);
  const newest = `SELECT id FROM (${itemsOfClients(MAX_SORTED_INSIDE)}) AS these ORDER BY id DESC LIMIT ${most}`;
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
    `${insideCte(viewer, MAX_BELOW)} SELECT ${COLUMNS} FROM inside CROSS JOIN items i
     WHERE i.id = inside.id AND ${checkOnly('i.firm_id')} = ? LIMIT ${MAX_BELOW}`,
    [bindList([folderId]), '[]', viewer.firmId],
  );
  return { rows: found, all: found.length < MAX_BELOW };
}

/** The expression for the names that may contain all the words; null if a word has no expression. */
const expressionOfAll = (words: readonly QueryWord[]): string | null => {
  const expressions = words.map(({ expression }) => expression);
  return expressions.length === 0 || expressions.includes(null) ? null : expressions.join(' AND ');
};

/** The newest items below the folders and of the clients whose own names may contain all the words. */
export async function rowsInsideNamed(
  db: Knex,
  viewer: FirmViewer,
  words: readonly QueryWord[],
  places: FoldersAndClients,
  most: number,
): Promise<Row[]> {
  const expression = expressionOfAll(words);
  if (expression === null) return [];
  const { withClause, ids, bindings } = itemIdsQuery(viewer, places, MAX_TESTED_INSIDE);
  const newestIds = newestMatching(most, `SELECT id FROM (${ids}) AS these`);
  return rows(
    db,
    `${withClause} SELECT ${COLUMNS} FROM (${newestIds}) AS named CROSS JOIN items i WHERE i.id = named.id AND ${ofFirm(viewer)}`,
    [...(withClause === '' ? [expression, ...bindings] : [...bindings, expression]), viewer.firmId],
  );
}

/** Clients whose names contain the same words. */
export interface ClientGroup {
  clients: readonly number[];
  /** The words that their names do not contain. */
  missingWords: readonly QueryWord[];
}

/** For each group of clients, their items that may contain the words missing from the clients' names. */
export async function rowsOfGroups(
  db: Knex,
  viewer: FirmViewer,
  groups: readonly ClientGroup[],
  most: number,
): Promise<Row[]> {
  const clientLists = groups.map(({ clients }) => bindList(clients));
  const counts = await countsOf(db, itemsOfClients(MAX_LISTED + 1), clientLists);
  const found = groups.map(async ({ clients, missingWords }, index) => {
    const isSmall = counts[index]! <= MAX_INSIDE;
    if (isSmall || missingWords.length === 0)
      return rowsOfClients(db, viewer, clientLists[index]!, isSmall ? MAX_INSIDE : most);
    if (counts[index]! <= MAX_LISTED)
      return rowsInsideNamed(db, viewer, missingWords, { folders: [], clients }, most);
    const expression = expressionOfAll(missingWords);
    if (expression === null) return [];
    const scanNewest = (newest: number) =>
      rows(
        db,
        `SELECT ${COLUMNS} FROM (${newestMatching(newest)}) AS named CROSS JOIN items i
         WHERE i.id = named.id AND ${ofFirm(viewer)} AND ${checkOnly('i.client_id')} IN (${BOUND_IDS})${subqueryOrder('named.id DESC')} LIMIT ${most}`,
        [expression, viewer.firmId, clientLists[index]!],
      );
    const first = await scanNewest(FIRST_SCAN);
    return first.length === most ? first : scanNewest(MAX_SCANNED);
  });
  return (await Promise.all(found)).flat();
}
