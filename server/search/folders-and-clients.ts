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
import { EACH, LINE_END, checkOnly, list, positionOf, queryRows } from '#server/db/sql.ts';

/** Names that may hold a word, of which so many are looked at. */
const NAMES = 500;
/** Items below folders and of clients that are named so, looked at altogether. */
const INSIDE = 2500;
/** The same when it is only asked which of them hold the other words themselves. */
const FAR_INSIDE = 20_000;
/** Of a word that very many names hold, the newest. */
const NEWEST = 200;
const WORDS = 10;

/** An item with the names above it: its folders' and its client's, folded. */
export interface Surrounded extends Candidate {
  around: string;
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

async function lookAt(db: Knex, seer: FirmSeer, word: string): Promise<Word> {
  const question = nameQuestion(seer.firmId, word);
  const [names, clients] = await Promise.all([
    question === null
      ? null
      : queryRows<{ id: number }>(db, newestWhere(NAMES + 1, isVisible(seer, 'i')), [question]),
    // What a search of clients looks at begins with the name, on a line of its own.
    queryRows<{ id: number }>(
      db,
      `SELECT id FROM clients
       WHERE firm_id = ? AND ${positionOf('?', 'search_text')} BETWEEN 1 AND ${positionOf(LINE_END, `search_text || ${LINE_END}`)}${andVisibleClient(seer)}`,
      [seer.firmId, word],
    ),
  ]);
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);
  return { wanted: wantedOf(word), question, names: names && idsOf(names), clients: idsOf(clients) };
}

const isFew = ({ names }: Word): boolean => names !== null && names.length <= NAMES;

const COLUMNS = 'i.id, i.name, i.type, i.modified_at, i.parent_id, i.client_id';

async function rowsOf(db: Knex, seer: FirmSeer, ids: readonly number[]): Promise<Row[]> {
  if (ids.length === 0) return [];
  return queryRows(
    db,
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

/** The items that hold a word themselves, lie below a folder that does, or belong to a client that does. */
async function reachOf(db: Knex, seer: FirmSeer, { names, clients, wanted }: Word, others: readonly Word[]) {
  const own = (await rowsOf(db, seer, names ?? [])).filter(({ name }) => holds(fold(name), wanted));
  const folders = own.filter(({ type }) => type === 'folder').map(({ id }) => id);
  if (folders.length + clients.length === 0) return { rows: own, all: true };
  const bindings = [list(folders), list(clients)];
  const rows = await queryRows<Row>(
    db,
    `${inside(seer, INSIDE)} SELECT ${COLUMNS} FROM inside CROSS JOIN items i
     WHERE i.id = inside.id AND ${checkOnly('i.firm_id')} = ? LIMIT ${INSIDE}`,
    [...bindings, seer.firmId],
  );
  const all = rows.length < INSIDE;
  const question = all ? null : allOf(others.map((word) => word.question));
  // A client of many files: of those beyond, the ones that hold the other words themselves.
  const beyond =
    question === null
      ? []
      : await queryRows<{ id: number }>(
          db,
          `${inside(seer, FAR_INSIDE)} ${newestMatching(NAMES, 'SELECT id FROM inside')}`,
          [...bindings, question],
        );
  const far = await rowsOf(
    db,
    seer,
    beyond.map(({ id }) => id),
  );
  return { rows: [...own, ...rows, ...far], all };
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

/** Those of the items in whose own names, folders' names and client's name together every word stands. */
async function matching<R extends Placed>(
  db: Knex,
  seer: FirmSeer,
  rows: Iterable<R>,
  words: readonly Wanted[],
): Promise<(R & { around: string })[]> {
  const missing = Array.from(rows, (row) => {
    const name = fold(row.name);
    const joined = join(name);
    return { row, words: words.filter((word) => !found(name, joined, word)) };
  });
  if (missing.length === 0) return [];
  const distinct = (values: (number | null)[]) => new Set(values.filter((value) => value !== null));
  const [above, clients] = await Promise.all([
    namesAbove(db, seer, distinct(missing.map(({ row }) => row.parent_id))),
    queryRows<{ id: number; name: string }>(
      db,
      `SELECT id, name FROM clients WHERE id IN (${EACH}) AND firm_id = ?`,
      [list(distinct(missing.map(({ row }) => row.client_id))), seer.firmId],
    ),
  ]);
  const clientNames = new Map(clients.map(({ id, name }) => [id, name]));
  const places = new Map<string, { around: string; held: ReadonlySet<Wanted> }>();
  const placeOf = ({ parent_id, client_id }: Placed) => {
    const key = `${parent_id}/${client_id}`;
    const known = places.get(key);
    if (known) return known;
    const around = fold(`${above.get(parent_id ?? 0) ?? ''} / ${clientNames.get(client_id ?? 0) ?? ''}`);
    const place = { around, held: new Set(words.filter((word) => holds(around, word))) };
    places.set(key, place);
    return place;
  };
  return missing.flatMap(({ row, words: still }) => {
    const { around, held } = placeOf(row);
    return still.every((word) => held.has(word)) ? [{ ...row, around }] : [];
  });
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
  const wanted = [...new Set(words)].map(wantedOf);
  const own = new Set<R>();
  for (const row of rows) {
    const name = fold(row.name);
    const joined = join(name);
    if (wanted.every((word) => found(name, joined, word))) own.add(row);
  }
  // Where a file's own name says it all, nobody asks where the file lies.
  const others = rows.filter((row) => !own.has(row));
  const above = await matching(db, seer, others, wanted);
  const ids = new Set(above.map(({ id }) => id));
  return rows.filter((row) => own.has(row) || ids.has(row.id));
}

/** All that lies below a folder, or a part of it when that is very much. */
async function rowsBelow(db: Knex, seer: FirmSeer, folderId: number) {
  const rows = await queryRows<Row>(
    db,
    `${inside(seer, INSIDE)} SELECT ${COLUMNS} FROM inside CROSS JOIN items i
     WHERE i.id = inside.id AND ${checkOnly('i.firm_id')} = ? LIMIT ${INSIDE}`,
    [list([folderId]), list([]), seer.firmId],
  );
  return { rows, all: rows.length < INSIDE };
}

/**
 * The firm's items in whose names, together with those of the folders above and of the client, every word stands. A
 * matching item holds each word in one of the three, so all are found by the word that leads to the fewest; `more`
 * tells that every word leads to very many, and that only the newest were looked at. Names of folders and clients are
 * read as they are now: to rename or move a folder changes nothing else.
 * @param words folded.
 * @param folderId what lies below this folder is asked for: of one that holds little, all is found.
 */
export async function searchAround(
  db: Knex,
  seer: FirmSeer,
  words: readonly string[],
  folderId: number | null = null,
): Promise<{ items: Surrounded[]; more: boolean }> {
  const looked = await Promise.all([...new Set(words)].slice(0, WORDS).map((word) => lookAt(db, seer, word)));
  const wanted = looked.map((word) => word.wanted);
  const cost = ({ names, clients }: Word) => (names?.length ?? 0) + 50 * clients.length;
  const [narrowest] = looked.filter(isFew).toSorted((a, b) => cost(a) - cost(b));
  const others = looked.filter((word) => word !== narrowest);
  const reach = narrowest ? await reachOf(db, seer, narrowest, others) : { rows: [], all: false };
  const some = reach.all ? [] : looked.flatMap(({ names }) => names?.slice(0, NEWEST) ?? []);
  const below = reach.all || folderId === null ? null : await rowsBelow(db, seer, folderId);
  const rows = [...reach.rows, ...(await rowsOf(db, seer, [...new Set(some)])), ...(below?.rows ?? [])];
  const each = new Map(rows.map((row) => [row.id, row])).values();
  return { items: await matching(db, seer, each, wanted), more: !(reach.all || below?.all) };
}
