import type { Knex } from 'knex';
import { fold } from '#server/text/fold.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { holds } from './match.ts';
import type { Matching } from './placed.ts';
import type { Candidate } from './rank.ts';
import type { Alike, Row } from './reach.ts';
import { holdersInside, ofClients, rowsBelow, rowsInside, rowsOf } from './reach.ts';
import type { Word } from './words.ts';
import { NAMES, onlyClients } from './words.ts';

/** Items read through one common word when other words must match too. */
const PART = 60;
/** Newest items read for a word that very many names contain. */
const NEWEST = 60;
/** The same when only the items of certain clients are read. */
const NEWEST_OF_CLIENTS = 200;
/** Groups of clients queried; the clients of a group contain the same words in their names and share one query. */
const CLIENT_GROUPS = 4;
/** The assumed number of items of a client. */
const OF_CLIENT = 50;
/** The default limit of items when very many may match. */
const MOST = 150;

/** An item that matches by its own name combined with the names of its folders and its client. */
export interface Surrounded extends Candidate {
  around: true;
}

/** A way to candidates: through one word, or through all the words that only names of clients contain. */
interface Lead {
  /** Null for the lead through clients alone. */
  word: Word | null;
  names: readonly number[] | null;
  clients: ReadonlySet<number>;
}

const isFew = ({ names }: Lead): boolean => names !== null && names.length <= NAMES;
const cost = ({ names, clients }: Lead): number => (names?.length ?? 0) + OF_CLIENT * clients.size;

/** The items whose own name, a folder above them or their client contains the word. */
async function reachOf(
  db: Knex,
  viewer: FirmViewer,
  { word, names, clients }: Lead,
  others: readonly Word[],
  most: number,
): Promise<{ rows: Row[]; all: boolean }> {
  const named = word && names ? await rowsOf(db, viewer, names) : [];
  const own = named.filter(({ name }) => holds(fold(name), word!.wanted));
  const folders = own.filter(({ type }) => type === 'folder').map(({ id }) => id);
  const { rows, all } = await rowsInside(db, viewer, { folders, clients }, others.length === 0 ? most : PART);
  // Below large folders, also read the items whose own names contain the other words.
  const far =
    all || folders.length === 0
      ? []
      : await holdersInside(db, viewer, others, { folders, clients: [] }, most);
  return { rows: [...own, ...rows, ...far], all };
}

/** Groups the clients by the words that their names contain; groups with the most words are first: they have the fewest items. */
function alike(words: readonly Word[], clients: Iterable<number>): Alike[] {
  const groups = Map.groupBy(clients, (id) => words.map((word) => Number(word.clients.has(id))).join(''));
  return Array.from(groups, ([held, ids]) => ({
    clients: ids,
    others: words.filter((_, at) => held[at] === '0'),
  }))
    .toSorted((a, b) => a.others.length - b.others.length)
    .slice(0, CLIENT_GROUPS);
}

/** The newest items that contain one of the words; with `only`, more of them are looked up and those of other clients dropped. */
function newestNamed(
  db: Knex,
  viewer: FirmViewer,
  words: readonly Word[],
  only: ReadonlySet<number> | null,
): Promise<Row[]> {
  const most = only ? NEWEST_OF_CLIENTS : NEWEST;
  return rowsOf(db, viewer, new Set(words.flatMap(({ names }) => names?.slice(0, most) ?? [])), only);
}

/**
 * The firm's items for which every word is in the item's own name, the name of a folder above it or its client's name.
 * A matching item contains each word in one of these, so the word with the fewest candidates leads to all matches; `more`
 * says that every word has very many candidates and that only the newest were examined. The names of folders and clients
 * are read at query time, so renaming or moving a folder updates no other entry.
 * @param words from `lookUp`; `matching` filters the candidates to those that contain all words.
 * @param about `folderId` examines a small folder completely; `most` limits the items when very many may match.
 * @returns `many` when more items match than were examined.
 */
export async function searchAround(
  db: Knex,
  viewer: FirmViewer,
  words: readonly Word[],
  matching: Matching,
  { folderId = null, most = MOST }: { folderId?: number | null; most?: number } = {},
): Promise<{ items: Surrounded[]; more: boolean; many: boolean }> {
  const only = onlyClients(words);
  if (only?.size === 0) return { items: [], more: false, many: false };
  const inNames = words.filter(({ names }) => names?.length !== 0);
  const within = (clients: ReadonlySet<number>) => (only ? clients.intersection(only) : clients);
  const leads: Lead[] = inNames.map((word) => ({
    word,
    names: word.names,
    clients: within(word.clients),
  }));
  if (only) leads.unshift({ word: null, names: [], clients: only });

  const [narrowest] = leads.filter(isFew).toSorted((a, b) => cost(a) - cost(b));
  const others = inNames.filter((word) => word !== narrowest?.word);
  const reach = narrowest ? await reachOf(db, viewer, narrowest, others, most) : { rows: [], all: false };
  const alone = leads.length === 1;
  const rest = [];
  if (!reach.all) {
    const clients = only ?? new Set(words.flatMap((word) => [...word.clients]));
    if (!(alone && narrowest)) rest.push(ofClients(db, viewer, alike(inNames, clients), most));
    // Of clients that hold all words but one, `ofClients` finds what is named by that.
    if (!only || inNames.length > 1) rest.push(newestNamed(db, viewer, inNames, only));
  }
  const below = reach.all || folderId === null ? null : await rowsBelow(db, viewer, folderId);
  const rows = [...reach.rows, ...(await Promise.all(rest)).flat(), ...(below?.rows ?? [])];
  const each = new Map(rows.map((row) => [row.id, row])).values();
  const items = await matching(db, each);
  const more = !(reach.all || below?.all);
  return { items: items.map((one) => ({ ...one, around: true })), more, many: more && alone };
}
