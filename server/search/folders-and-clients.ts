import type { Knex } from 'knex';
import { fold } from '#server/text/fold.ts';
import { join, nameQuestion } from './grams.ts';
import type { Wanted } from './match.ts';
import { found, wantedOf } from './match.ts';
import type { Candidate } from './rank.ts';
import { newestMatching, newestWhere } from '#server/db/full-text.ts';
import type { FirmSeer } from '#server/visibility/visible.ts';
import {
  andVisible,
  andVisibleClient,
  rootedItems,
  visibleItems,
  isVisible,
} from '#server/visibility/visible.ts';
import { EACH, LINE_END, checkOnly, list, positionOf, queryManyRows, queryRows } from '#server/db/sql.ts';

/** Names that may hold a word, of which so many are looked at. */
const NAMES = 500;
/** Items below folders and of clients that are named so, read altogether: the newest. To read one costs most of a search. */
const INSIDE = 500;
/** Those among which these are the newest. */
const NEAR_INSIDE = 3000;
/** The same when it is only asked which of them hold the other words themselves. */
const FAR_INSIDE = 8000;
/** Of very much of one word, where it is another word that has to be found too. */
const PART = 60;
/** Of a word that very many names hold, the newest. */
const NEWEST = 60;
/** What lies below the folder that is searched in, looked at altogether. */
const BELOW = 2500;
/** Clients that hold the same of the words are asked for together; so many such groups. */
const CLIENT_GROUPS = 3;
const WORDS = 10;
/** Items that are wanted where there are very many. */
const MOST = 150;

/** An item that matches by its own name together with those above it: its folders' and its client's. */
export interface Surrounded extends Candidate {
  around: true;
}

/** What is read of an item to tell whether it matches by its own name and those above it. */
export interface Placed {
  id: number;
  name: string;
  parent_id: number | null;
  client_id: number | null;
}

type Row = Candidate & Placed;

interface Word {
  wanted: Wanted;
  /** What asks the index for it; null when that knows nothing of such a word. */
  question: string | null;
  /** Items whose names may hold it, the newest first; null for a word that the index does not know. */
  names: number[] | null;
  /** Clients whose names hold it. */
  clients: number[];
}

const holds = (text: string, word: Wanted): boolean => found(text, join(text), word);

async function lookAt(db: Knex, seer: FirmSeer, words: readonly string[]): Promise<Word[]> {
  const [clients, ...names] = await Promise.all([
    clientsNamed(db, seer, words),
    ...words.map((word) => namesWith(db, seer, nameQuestion(seer.firmId, word))),
  ]);
  return words.map((word, at) => ({
    wanted: wantedOf(word),
    question: nameQuestion(seer.firmId, word),
    names: names[at]!,
    clients: clients.filter(({ held }) => held[at] === '1').map(({ id }) => id),
  }));
}

async function namesWith(db: Knex, seer: FirmSeer, question: string | null): Promise<number[] | null> {
  if (question === null) return null;
  const rows = await queryRows<{ id: number }>(db, newestWhere(NAMES + 1, isVisible(seer, 'i')), [question]);
  return rows.map(({ id }) => id);
}

/** The clients in whose names any of the words stands, and for each word 1 or 0. */
function clientsNamed(
  db: Knex,
  seer: FirmSeer,
  words: readonly string[],
): Promise<{ id: number; held: string }[]> {
  // What a search of clients looks at begins with the name, on a line of its own.
  const holds = `(${positionOf('?', 'search_text')} BETWEEN 1 AND ${positionOf(LINE_END, `search_text || ${LINE_END}`)})`;
  const held = words.map(() => `CASE WHEN ${holds} THEN '1' ELSE '0' END`).join(' || ');
  return queryRows(
    db,
    `SELECT id, held FROM (SELECT id, ${held} AS held FROM clients WHERE firm_id = ?${andVisibleClient(seer)}) AS each
     WHERE held LIKE '%1%'`,
    [...words, seer.firmId],
  );
}

const isFew = ({ names }: Word): boolean => names !== null && names.length <= NAMES;

const FIELDS = ['id', 'name', 'type', 'modified_at', 'parent_id', 'client_id'] as const;
const COLUMNS = FIELDS.map((field) => `i.${field}`).join(', ');

async function rowsOf(db: Knex, seer: FirmSeer, ids: readonly number[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  return queryManyRows(
    db,
    FIELDS,
    `SELECT ${COLUMNS} FROM items i WHERE i.id IN (${EACH}) AND ${checkOnly('i.firm_id')} = ?${andVisible(seer, 'i')}`,
    [list(ids), seer.firmId],
  );
}

/** `inside(id)`: what lies below the folders, and what belongs to the clients, up to a number of each. */
const inside = (seer: FirmSeer, most: number) => `WITH RECURSIVE below(id) AS (
    ${EACH}
    UNION
    SELECT i.id FROM below CROSS JOIN ${visibleItems(seer)} i WHERE i.parent_id = below.id
  ), inside(id) AS (
    SELECT id FROM (SELECT id FROM below LIMIT ${most})
    UNION
    SELECT id FROM (SELECT id FROM items WHERE client_id IN (${EACH}) LIMIT ${most})
  )`;

interface Places {
  folders: readonly number[];
  clients: readonly number[];
}

/** Selects some of what lies below the folders and belongs to the clients; nothing is walked where there are none. */
const some = (seer: FirmSeer, { folders, clients }: Places, most: number) =>
  folders.length === 0
    ? {
        first: '',
        ids: `SELECT id FROM items WHERE client_id IN (${EACH}) LIMIT ${most}`,
        bindings: [list(clients)],
      }
    : { first: inside(seer, most), ids: 'SELECT id FROM inside', bindings: [list(folders), list(clients)] };

/** All that lies below the folders and belongs to the clients; of very much, some of the newest. */
async function rowsInside(
  db: Knex,
  seer: FirmSeer,
  places: Places,
  most: number,
): Promise<{ rows: Row[]; all: boolean }> {
  if (places.folders.length + places.clients.length === 0) return { rows: [], all: true };
  const { first, ids, bindings } = some(seer, places, NEAR_INSIDE);
  const found = await queryManyRows<{ id: number }>(
    db,
    ['id'],
    `${first} SELECT id FROM (${ids}) AS some ORDER BY id DESC LIMIT ?`,
    [...bindings, Math.max(INSIDE, most) + 1],
  );
  const all = found.length <= Math.max(INSIDE, most);
  const newest = all ? found : found.slice(0, most);
  return {
    rows: await rowsOf(
      db,
      seer,
      newest.map(({ id }) => id),
    ),
    all,
  };
}

/** The items that hold a word themselves, lie below a folder that does, or belong to a client that does. */
async function reachOf(
  db: Knex,
  seer: FirmSeer,
  { names, clients, wanted }: Word,
  others: readonly Word[],
  most: number,
) {
  const own = (await rowsOf(db, seer, names ?? [])).filter(({ name }) => holds(fold(name), wanted));
  const folders = own.filter(({ type }) => type === 'folder').map(({ id }) => id);
  const { rows, all } = await rowsInside(db, seer, { folders, clients }, others.length === 0 ? most : PART);
  // Of what lies below the folders beyond those: what holds the other words itself.
  const far =
    all || folders.length === 0 ? [] : await holdersInside(db, seer, others, { folders, clients: [] }, most);
  return { rows: [...own, ...rows, ...far], all };
}

/** Items of clients that hold some of the words in their names, and the others themselves. */
async function ofClients(db: Knex, seer: FirmSeer, words: readonly Word[], most: number): Promise<Row[]> {
  const held = new Map<number, Set<Word>>();
  for (const word of words)
    for (const id of word.clients) held.set(id, (held.get(id) ?? new Set()).add(word));
  const alike = Map.groupBy(held, ([, own]) => words.map((word) => Number(own.has(word))).join(''));
  // Those that hold the most words lead to the fewest items.
  const sizeOf = (group: readonly [number, Set<Word>][]): number => group[0]?.[1].size ?? 0;
  const groups = Array.from(alike.values()).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const found = groups.slice(0, CLIENT_GROUPS).map(async (group) => {
    const places: Places = { folders: [], clients: group.map(([id]) => id) };
    const others = words.filter((word) => !group[0]![1].has(word));
    return others.length === 0
      ? (await rowsInside(db, seer, places, most)).rows
      : holdersInside(db, seer, others, places, most);
  });
  return (await Promise.all(found)).flat();
}

/** Of what lies below the folders and belongs to the clients, the newest that hold all the words themselves. */
async function holdersInside(
  db: Knex,
  seer: FirmSeer,
  words: readonly Word[],
  places: Places,
  most: number,
): Promise<Row[]> {
  const question = allOf(words.map((word) => word.question));
  if (question === null) return [];
  const { first, ids, bindings } = some(seer, places, FAR_INSIDE);
  const rows = await queryManyRows<{ id: number }>(
    db,
    ['id'],
    `${first} ${newestMatching(most, `SELECT id FROM (${ids}) AS some`)}`,
    first === '' ? [question, ...bindings] : [...bindings, question],
  );
  return rowsOf(
    db,
    seer,
    rows.map(({ id }) => id),
  );
}

const allOf = (questions: readonly (string | null)[]): string | null =>
  questions.length === 0 || questions.includes(null) ? null : questions.join(' AND ');

/** The path of each folder, by its id: each folder above several of them is read once. */
async function namesAbove(
  db: Knex,
  seer: FirmSeer,
  parents: ReadonlySet<number>,
): Promise<Map<number, string | null>> {
  const paths = new Map<number, string | null>();
  if (parents.size === 0) return paths;
  const rows = await queryRows<{ id: number; name: string; parent_id: number | null }>(
    db,
    `WITH RECURSIVE up(id, name, parent_id) AS (
       SELECT id, name, parent_id FROM ${rootedItems(seer)} f WHERE id IN (${EACH})
       UNION
       SELECT i.id, i.name, i.parent_id FROM up CROSS JOIN ${rootedItems(seer)} i WHERE i.id = up.parent_id
     ) SELECT id, name, parent_id FROM up`,
    [list(parents)],
  );
  const folders = new Map(rows.map((row) => [row.id, row]));
  /** Null for a folder that does not lead up to where the person's view begins. */
  const pathOf = (id: number): string | null => {
    const known = paths.get(id);
    if (known !== undefined) return known;
    const folder = folders.get(id);
    const above = folder && folder.parent_id !== null ? pathOf(folder.parent_id) : '';
    const path = !folder || above === null ? null : above === '' ? folder.name : `${above} / ${folder.name}`;
    paths.set(id, path);
    return path;
  };
  for (const id of parents) pathOf(id);
  return paths;
}

/** The folded names of clients of the firm, by id. */
async function clientNames(
  db: Knex,
  { firmId }: FirmSeer,
  ids: ReadonlySet<number>,
): Promise<Map<number, string>> {
  if (ids.size === 0) return new Map();
  const rows = await queryRows<{ id: number; name: string }>(
    db,
    `SELECT id, name FROM clients WHERE id IN (${EACH}) AND firm_id = ?`,
    [list(ids), firmId],
  );
  return new Map(rows.map(({ id, name }) => [id, fold(name)]));
}

const distinct = (values: Iterable<number | null>): Set<number> =>
  new Set(Array.from(values).filter((value) => value !== null));

/** What of the words is found in each of several texts, looked for once in each. */
function finder<Key>(
  words: readonly Wanted[],
  textOf: (key: Key) => string,
): (key: Key, word: Wanted) => boolean {
  const known = new Map<Key, ReadonlySet<Wanted>>();
  return (key, word) => {
    let held = known.get(key);
    if (!held) {
      const text = textOf(key);
      held = new Set(text === '' ? [] : words.filter((one) => holds(text, one)));
      known.set(key, held);
    }
    return held.has(word);
  };
}

/** Those of the items in whose own names, folders' names and client's name together every word stands. */
async function matching<R extends Placed>(
  db: Knex,
  seer: FirmSeer,
  rows: Iterable<R>,
  words: readonly Wanted[],
): Promise<R[]> {
  const each = Array.from(rows, (row) => {
    const name = fold(row.name);
    const joined = join(name);
    return { row, missing: words.filter((word) => !found(name, joined, word)) };
  });
  const names = await clientNames(
    db,
    seer,
    distinct(each.map(({ row, missing }) => (missing.length > 0 ? row.client_id : null))),
  );
  const inClient = finder(words, (id: number | null) => names.get(id ?? 0) ?? '');
  for (const one of each) one.missing = one.missing.filter((word) => !inClient(one.row.client_id, word));
  // Ways up are asked for only where something is still to be found on them.
  const open = each.filter(({ missing }) => missing.length > 0);
  const above = await namesAbove(db, seer, distinct(open.map(({ row }) => row.parent_id)));
  const inFolders = finder(words, (id: number | null) => fold(above.get(id ?? 0) ?? ''));
  return each.flatMap(({ row, missing }) =>
    missing.every((word) => inFolders(row.parent_id, word)) ? [row] : [],
  );
}

/**
 * Those of the firm's items that match as `searchAround` says, in their order: exact, and for as many as are given.
 * @param words folded.
 */
export async function matchingAmong<R extends Placed>(
  db: Knex,
  seer: FirmSeer,
  words: readonly string[],
  rows: readonly R[],
): Promise<R[]> {
  return matching(db, seer, rows, [...new Set(words)].map(wantedOf));
}

/** All that lies below a folder, or a part of it when that is very much. */
async function rowsBelow(db: Knex, seer: FirmSeer, folderId: number) {
  const rows = await queryRows<Row>(
    db,
    `${inside(seer, BELOW)} SELECT ${COLUMNS} FROM inside CROSS JOIN items i
     WHERE i.id = inside.id AND ${checkOnly('i.firm_id')} = ? LIMIT ${BELOW}`,
    [list([folderId]), list([]), seer.firmId],
  );
  return { rows, all: rows.length < BELOW };
}

/**
 * The firm's items in whose names, together with those of the folders above and of the client, every word stands. A
 * matching item holds each word in one of the three, so all are found by the word that leads to the fewest; `more`
 * tells that every word leads to very many, and that only the newest were looked at. Names of folders and clients are
 * read as they are now: to rename or move a folder changes nothing else.
 * @param words folded.
 * @param about where to look most: `folderId`, since of what lies below a folder that holds little all is found;
 * `most`, how many items are wanted where there are very many.
 * @returns `many` when there are more than it looks at, whatever they are.
 */
export async function searchAround(
  db: Knex,
  seer: FirmSeer,
  words: readonly string[],
  { folderId = null, most = MOST }: { folderId?: number | null; most?: number } = {},
): Promise<{ items: Surrounded[]; more: boolean; many: boolean }> {
  const looked = await lookAt(db, seer, [...new Set(words)].slice(0, WORDS));
  const wanted = looked.map((word) => word.wanted);
  const alone = looked.length === 1;
  const cost = ({ names, clients }: Word) => (names?.length ?? 0) + 50 * clients.length;
  const [narrowest] = looked.filter(isFew).toSorted((a, b) => cost(a) - cost(b));
  const others = looked.filter((word) => word !== narrowest);
  const reach = narrowest ? await reachOf(db, seer, narrowest, others, most) : { rows: [], all: false };
  const newest = reach.all ? [] : looked.flatMap(({ names }) => names?.slice(0, NEWEST) ?? []);
  const below = reach.all || folderId === null ? null : await rowsBelow(db, seer, folderId);
  const clients = reach.all || (alone && narrowest) ? [] : await ofClients(db, seer, looked, most);
  const named = await rowsOf(db, seer, [...new Set(newest)]);
  const rows = [...reach.rows, ...clients, ...named, ...(below?.rows ?? [])];
  const each = new Map(rows.map((row) => [row.id, row])).values();
  const items = await matching(db, seer, each, wanted);
  const more = !(reach.all || below?.all);
  return { items: items.map((one) => ({ ...one, around: true })), more, many: more && alone };
}
