import type { Knex } from 'knex';
import { fold } from '#server/text/fold.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { matchesText } from './match.ts';
import type { ItemFilter } from './item-filter.ts';
import type { Candidate } from './rank.ts';
import type { ClientGroup, Row } from './item-rows.ts';
import { rowsInsideNamed, rowsOfGroups, rowsBelow, rowsInside, rowsOf } from './item-rows.ts';
import type { QueryWord } from './words.ts';
import { MAX_NAMES, requiredClients } from './words.ts';

/** Items read through one common word when other words must match too. */
const COMMON_WORD_LIMIT = 60;
/** Newest items read for a word that very many names contain. */
const NEWEST = 60;
/** The same when only the items of certain clients are read. */
const NEWEST_OF_CLIENTS = 200;
/** Groups of clients queried; the clients of a group contain the same words in their names and share one query. */
const CLIENT_GROUPS = 4;
/** The assumed number of items of a client. */
const ASSUMED_ITEMS_PER_CLIENT = 50;
/** The default limit of items when very many may match. */
const DEFAULT_LIMIT = 150;

/** An item that matches by its own name combined with the names of its folders and its client. */
interface ContextMatch extends Candidate {
  viaContext: true;
}

/** Items and clients to read candidates from: those of one word, or the clients that every match must belong to. */
interface CandidateSource {
  /** Null for the source made of `requiredClients`. */
  word: QueryWord | null;
  itemIds: readonly number[] | null;
  clientIds: ReadonlySet<number>;
}

const hasFewNames = ({ itemIds }: CandidateSource): boolean =>
  itemIds !== null && itemIds.length <= MAX_NAMES;
const cost = ({ itemIds, clientIds }: CandidateSource): number =>
  (itemIds?.length ?? 0) + ASSUMED_ITEMS_PER_CLIENT * clientIds.size;

/** The items for which the name of the item, of a folder above it or of its client contains the word. */
async function candidatesFrom(
  db: Knex,
  viewer: FirmViewer,
  { word, itemIds, clientIds }: CandidateSource,
  others: readonly QueryWord[],
  most: number,
): Promise<{ rows: Row[]; all: boolean }> {
  const rowsOfNames = word && itemIds ? await rowsOf(db, viewer, itemIds) : [];
  const namedItems = rowsOfNames.filter(({ name }) => matchesText(fold(name), word!.pattern));
  const folders = namedItems.filter(({ type }) => type === 'folder').map(({ id }) => id);
  const { rows, all } = await rowsInside(
    db,
    viewer,
    { folders, clients: clientIds },
    others.length === 0 ? most : COMMON_WORD_LIMIT,
  );
  // Below large folders, also read the items whose own names contain the other words.
  const namedInside =
    all || folders.length === 0
      ? []
      : await rowsInsideNamed(db, viewer, others, { folders, clients: [] }, most);
  return { rows: [...namedItems, ...rows, ...namedInside], all };
}

/** Groups the clients by the words that their names contain; groups with the most words are first: they have the fewest items. */
function groupClients(words: readonly QueryWord[], clients: Iterable<number>): ClientGroup[] {
  const groups = Map.groupBy(clients, (id) => words.map((word) => Number(word.clientIds.has(id))).join(''));
  return Array.from(groups, ([containedFlags, ids]) => ({
    clients: ids,
    missingWords: words.filter((_, index) => containedFlags[index] === '0'),
  }))
    .toSorted((a, b) => a.missingWords.length - b.missingWords.length)
    .slice(0, CLIENT_GROUPS);
}

/** The newest items that contain one of the words; with `clients`, more of them are looked up and only items of these clients kept. */
function newestNamed(
  db: Knex,
  viewer: FirmViewer,
  words: readonly QueryWord[],
  clients: ReadonlySet<number> | null,
): Promise<Row[]> {
  const limit = clients ? NEWEST_OF_CLIENTS : NEWEST;
  return rowsOf(db, viewer, new Set(words.flatMap(({ itemIds }) => itemIds?.slice(0, limit) ?? [])), clients);
}

/**
 * The firm's items for which every word is in the item's own name, the name of a folder above it or its client's name.
 * A matching item contains each word in one of these, so the word with the fewest candidates leads to all matches; `more`
 * says that every word has very many candidates and that only the newest were examined. The names of folders and clients
 * are read at query time, so renaming or moving a folder updates no other entry.
 * @param words from `lookUpWords`; `filterItems` reduces the candidates to those that contain all words.
 * @param about `folderId` examines a small folder completely; `most` limits the items when very many may match.
 * @returns `many` when more items match than were examined.
 */
export async function searchWithContext(
  db: Knex,
  viewer: FirmViewer,
  words: readonly QueryWord[],
  filterItems: ItemFilter,
  { folderId = null, most = DEFAULT_LIMIT }: { folderId?: number | null; most?: number } = {},
): Promise<{ items: ContextMatch[]; more: boolean; many: boolean }> {
  const required = requiredClients(words);
  if (required?.size === 0) return { items: [], more: false, many: false };
  const wordsInItemNames = words.filter(({ itemIds }) => itemIds?.length !== 0);
  const restrict = (clients: ReadonlySet<number>) => (required ? clients.intersection(required) : clients);
  const sources: CandidateSource[] = wordsInItemNames.map((word) => ({
    word,
    itemIds: word.itemIds,
    clientIds: restrict(word.clientIds),
  }));
  if (required) sources.unshift({ word: null, itemIds: [], clientIds: required });

  const [narrowest] = sources.filter(hasFewNames).toSorted((a, b) => cost(a) - cost(b));
  const others = wordsInItemNames.filter((word) => word !== narrowest?.word);
  const nearest = narrowest
    ? await candidatesFrom(db, viewer, narrowest, others, most)
    : { rows: [], all: false };
  const isSingleSource = sources.length === 1;
  const pending = [];
  if (!nearest.all) {
    const clients = required ?? new Set(words.flatMap((word) => [...word.clientIds]));
    if (!(isSingleSource && narrowest))
      pending.push(rowsOfGroups(db, viewer, groupClients(wordsInItemNames, clients), most));
    // With required clients and one other word, `rowsOfGroups` already reads their items that contain it.
    if (!required || wordsInItemNames.length > 1)
      pending.push(newestNamed(db, viewer, wordsInItemNames, required));
  }
  const below = nearest.all || folderId === null ? null : await rowsBelow(db, viewer, folderId);
  const rows = [...nearest.rows, ...(await Promise.all(pending)).flat(), ...(below?.rows ?? [])];
  const candidates = new Map(rows.map((row) => [row.id, row])).values();
  const items = await filterItems(db, candidates);
  const more = !(nearest.all || below?.all);
  return { items: items.map((row) => ({ ...row, viaContext: true })), more, many: more && isSingleSource };
}
