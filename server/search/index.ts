import type { Knex } from 'knex';
import type { Candidate } from './rank.ts';
import { SEARCH_MIN } from './contract.ts';
import type { IndexExpressions } from './grams.ts';
import { nameTokens, indexExpressions, splitWords } from './grams.ts';
import { searchWithContext } from './folders-and-clients.ts';
import type { NameMatcher } from './match.ts';
import { createNameMatcher, normalizeQuery, createPattern } from './match.ts';
import type { ItemFilter, MatchableItem } from './item-filter.ts';
import { createItemFilter } from './item-filter.ts';
import type { QueryWord } from './words.ts';
import { isSelective, lookUpWords, requiredClients } from './words.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { isVisibleJoined } from '#server/visibility/visible.ts';
import {
  ENTRY_ID,
  addEntries,
  purgeRemovedGrams,
  matchingWhere,
  newestInTrash,
  newestItems,
  newestWhere,
  removeEntries,
} from '#server/db/item-search.ts';

/** The default limit of matches in Trash, newest first. */
const MAX_IN_TRASH = 10_000;
/** Index entries read per expression; if the limit is reached, the result is marked `more`. */
const MAX_READ = 200;
/** The limit of a second read, when too few of the entries match: their grams are common, but rarely in this order. */
export const MAX_READ_AGAIN = 5000;
/** Index entries read per narrower expression: names equal to the query, and names that start with it. */
const MAX_READ_NARROW = 30;
/** Words looked up individually; further words only filter the candidates. */
const MAX_WORDS = 10;
/** From this number of words on, the context is searched first: one of the words probably has few candidates. */
const CONTEXT_FIRST_WORDS = 3;

/** A query that filters other lists; items match by their own names and those of their folders and client. */
export interface Search {
  /** Selects the ids of the items whose own names may match; `matches` decides. */
  sql: string;
  bindings: string[];
  /** Selects the newest of them, at most `limit`, with the same bindings. */
  newest: (limit: number) => string;
  /** Whether an item's own name matches. */
  matches: NameMatcher;
  /** Filters rows to the items that match, in their order. */
  filterItems: <R extends MatchableItem>(db: Knex, rows: readonly R[]) => Promise<R[]>;
  /** The only clients whose items can match; null unless some word is in names of clients alone. */
  requiredClients: (db: Knex) => Promise<ReadonlySet<number> | null>;
  /**
   * Ids of the items that match, from a bounded number of candidates: `more` says that others may match, and `many` that
   * more match than were examined. With a small folder, `more` concerns only items outside it.
   */
  searchWithContext: (
    db: Knex,
    options?: { folderId?: number | null; most?: number },
  ) => Promise<{ ids: Set<number>; more: boolean; many: boolean }>;
}

/** A search that also matches the names of the folders above an item and of its client: its context. */
type ContextSearch = ReturnType<typeof createContextSearch>;

/** Each word is looked up at most once, on first use. */
function createContextSearch(viewer: FirmViewer, query: string) {
  const queryWords = [...new Set(splitWords(normalizeQuery(query)))];
  let lookup: Promise<{ words: QueryWord[]; filterItems: ItemFilter }> | undefined;
  const lookUp = (db: Knex) =>
    (lookup ??= lookUpWords(db, viewer, queryWords.slice(0, MAX_WORDS)).then((words) => ({
      words,
      filterItems:
        words.length < queryWords.length
          ? createItemFilter(viewer, queryWords.map(createPattern))
          : createItemFilter(
              viewer,
              words.map(({ pattern }) => pattern),
              new Map(words.map(({ pattern, clientIds }) => [pattern, clientIds])),
            ),
    })));
  return {
    /** See `Search.requiredClients`. */
    async requiredClients(db: Knex): Promise<ReadonlySet<number> | null> {
      return requiredClients((await lookUp(db)).words);
    },
    /**
     * Whether to call `searchWithContext` before searching for names with every word: with several words, one probably has
     * few candidates, and examining all of these is faster.
     */
    async shouldRunFirst(db: Knex): Promise<boolean> {
      return queryWords.length >= CONTEXT_FIRST_WORDS && isSelective((await lookUp(db)).words);
    },
    /** See `folders-and-clients.ts`. */
    async searchWithContext(db: Knex, options?: { folderId?: number | null; most?: number }) {
      const { words, filterItems } = await lookUp(db);
      return searchWithContext(db, viewer, words, filterItems, options);
    },
    async filterItems<R extends MatchableItem>(db: Knex, rows: readonly R[]): Promise<R[]> {
      const filterItems = lookup
        ? (await lookup).filterItems
        : createItemFilter(viewer, queryWords.map(createPattern));
      return filterItems(db, rows);
    },
  };
}

const expressionsOf = (firmId: number, query: string): IndexExpressions | null =>
  query.trim().length < SEARCH_MIN ? null : indexExpressions(firmId, normalizeQuery(query));

/** The newest visible items whose entries match the expression. */
const newestCandidates = (
  db: Knex,
  viewer: FirmViewer,
  expression: string,
  limit: number,
): Promise<Candidate[]> =>
  newestItems(db, ['id', 'name', 'type', 'modified_at'], {
    firmId: viewer.firmId,
    matchExpression: expression,
    limit,
    condition: isVisibleJoined(viewer, ENTRY_ID),
  });

/**
 * The index of item names. Every write takes the transaction that changes the items, so index and items never differ.
 */
export const searchIndex = {
  add: (
    trx: Knex.Transaction,
    { id, firm_id, name }: { id: number; firm_id: number; name: string },
  ): Promise<void> => addEntries(trx, [{ id, grams: nameTokens(firm_id, name) }]),

  /** The `grams` of a name for `addAll`. Computing them is most of the work, so callers do it outside the transaction. */
  gramsOf: (firmId: number, name: string): string => nameTokens(firmId, name),

  /** Like `add`, for many items. */
  addAll: addEntries,

  removeAll: removeEntries,

  /** Purges the removed grams from the database file, in short transactions. */
  forgetRemoved: purgeRemovedGrams,

  async rename(trx: Knex.Transaction, item: { id: number; firm_id: number; name: string }): Promise<void> {
    await removeEntries(trx, [item.id]);
    await searchIndex.add(trx, item);
  },

  /** Null for a query that is too short or has no searchable word. */
  contextSearch: (viewer: FirmViewer, query: string): ContextSearch | null =>
    expressionsOf(viewer.firmId, query) && createContextSearch(viewer, query),

  /** The query as a filter for other lists. Null for a query that is too short or has no searchable word. */
  createFilter(viewer: FirmViewer, query: string): Search | null {
    const expressions = expressionsOf(viewer.firmId, query);
    if (!expressions) return null;
    const contextSearch = createContextSearch(viewer, query);
    const visible = isVisibleJoined(viewer, ENTRY_ID);
    return {
      sql: matchingWhere(visible),
      bindings: [expressions.parts],
      newest: (limit) => newestWhere(limit, visible),
      matches: createNameMatcher(query),
      filterItems: contextSearch.filterItems,
      requiredClients: contextSearch.requiredClients,
      async searchWithContext(db, options) {
        const { items, ...rest } = await contextSearch.searchWithContext(db, options);
        return { ids: new Set(items.map(({ id }) => id)), ...rest };
      },
    };
  },

  /** Matching items inside the deleted folders in the firm's Trash, newest first; `root` is the deleted folder. */
  async inTrash(
    db: Knex,
    firmId: number,
    query: string,
    limit: number = MAX_IN_TRASH,
  ): Promise<{ id: number; root: number; name: string; parent_id: number }[]> {
    const expressions = expressionsOf(firmId, query);
    if (!expressions) return [];
    const found = await newestInTrash(db, { firmId, matchExpression: expressions.parts, limit });
    const matches = createNameMatcher(query);
    return found.filter(({ name }) => matches(name));
  },

  /**
   * Items that may match, from a bounded read of the index: the newest with all parts of the query and, when that reaches
   * the bound, also the newest equal to the query and the newest that start with it. `more` says that the bound was reached.
   */
  async candidates(
    db: Knex,
    viewer: FirmViewer,
    query: string,
    bound: number = MAX_READ,
  ): Promise<{ candidates: Candidate[]; more: boolean }> {
    const expressions = expressionsOf(viewer.firmId, query);
    if (!expressions) return { candidates: [], more: false };
    const widest = await newestCandidates(db, viewer, expressions.parts, bound);
    // The widest expression has returned all matches; the narrower ones would add nothing.
    if (widest.length < bound) return { candidates: widest, more: false };
    const found = new Map(widest.map((candidate) => [candidate.id, candidate]));
    const narrower = [expressions.whole, expressions.start].filter((expression) => expression !== null);
    for (const few of await Promise.all(
      narrower.map((expression) => newestCandidates(db, viewer, expression, MAX_READ_NARROW)),
    ))
      for (const candidate of few) found.set(candidate.id, candidate);
    return { candidates: [...found.values()], more: true };
  },
};
export type { MatchableItem };
export type { ParsedSearch } from './filter-conditions.ts';
