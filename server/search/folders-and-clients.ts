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

/** Of very much of one word, where it is another word that has to be found too. */
const PART = 60;
/** Of a word that very many names hold, the newest. */
const NEWEST = 60;
/** The same where only what belongs to some clients is read of them. */
const NEWEST_OF_CLIENTS = 200;
/** Clients that hold the same of the words are asked for together; so many such groups. */
const CLIENT_GROUPS = 4;
/** What a client's items are taken to be. */
const OF_CLIENT = 50;
/** Items that are wanted where there are very many. */
const MOST = 150;

/** An item that matches by its own name together with those above it: its folders' and its client's. */
export interface Surrounded extends Candidate {
  around: true;
}

/** What leads to items: of a word, or of all words together that only clients hold. */
interface Lead {
  /** Null for what is not a single word. */
  word: Word | null;
  names: readonly number[] | null;
  clients: ReadonlySet<number>;
}

const isFew = ({ names }: Lead): boolean => names !== null && names.length <= NAMES;
const cost = ({ names, clients }: Lead): number => (names?.length ?? 0) + OF_CLIENT * clients.size;

/** The items that hold a word themselves, lie below a folder that does, or belong to a client that does. */
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
  // Of what lies below the folders beyond those: what holds the other words itself.
  const far =
    all || folders.length === 0
      ? []
      : await holdersInside(db, viewer, others, { folders, clients: [] }, most);
  return { rows: [...own, ...rows, ...far], all };
}

/** The clients in groups that hold the same of the words; those come first that hold the most, and so lead to the fewest items. */
function alike(words: readonly Word[], clients: Iterable<number>): Alike[] {
  const groups = Map.groupBy(clients, (id) => words.map((word) => Number(word.clients.has(id))).join(''));
  return Array.from(groups, ([held, ids]) => ({
    clients: ids,
    others: words.filter((_, at) => held[at] === '0'),
  }))
    .toSorted((a, b) => a.others.length - b.others.length)
    .slice(0, CLIENT_GROUPS);
}

/** Of the newest that hold one of the words; of those that belong to the clients, where all that matches does. */
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
 * The firm's items in whose names, together with those of the folders above and of the client, every word stands. A
 * matching item holds each word in one of the three, so all are found by the word that leads to the fewest; `more`
 * tells that every word leads to very many, and that only the newest were looked at. Names of folders and clients are
 * read as they are now: to rename or move a folder changes nothing else.
 * @param words as `lookUp` tells of them; `matching` tells which items hold them all.
 * @param about where to look most: `folderId`, since of what lies below a folder that holds little all is found;
 * `most`, how many items are wanted where there are very many.
 * @returns `many` when there are more than it looks at, whatever they are.
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
