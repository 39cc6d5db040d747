import type { Knex } from 'knex';
import type { Candidate } from './rank.ts';
import { SEARCH_MIN } from './contract.ts';
import type { Questions } from './grams.ts';
import { nameTokens, questions, words } from './grams.ts';
import { searchAround } from './folders-and-clients.ts';
import type { Matcher } from './match.ts';
import { matcher, readable, wantedOf } from './match.ts';
import type { Matching, Placed } from './placed.ts';
import { createMatching } from './placed.ts';
import type { Word } from './words.ts';
import { leadsToFew, lookUp, onlyClients } from './words.ts';
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
} from '#server/db/full-text.ts';

/** The default limit of matches in Trash, newest first. */
const TRASH_BOUND = 10_000;
/** Entries read per expression; if the limit is reached, the result is marked `more`. */
const BOUND = 200;
/** The limit of a second attempt, when too few of the entries read match: their grams are common, but rarely in this order. */
export const FAR_BOUND = 5000;
const NARROW_BOUND = 30;
/** Words looked up individually; further words only filter the candidates. */
const WORDS = 10;
/** From this number of words on, one of them probably has few candidates. */
const SEVERAL = 3;

/** A query that filters other lists; items match by their own names and those of their folders and client. */
export interface Search {
  /** Selects the ids of the items whose own names may match; `matches` decides. */
  sql: string;
  bindings: string[];
  /** Selects the newest of them, at most `limit`, with the same bindings. */
  newest: (limit: number) => string;
  /** Whether an item's own name matches. */
  matches: Matcher;
  /** Filters rows to the items that match, in their order. */
  among: <R extends Placed>(db: Knex, rows: readonly R[]) => Promise<R[]>;
  /** The only clients whose items can match; null unless some word is in names of clients alone. */
  clients: (db: Knex) => Promise<ReadonlySet<number> | null>;
  /**
   * Ids of the items that match, from a bounded number of candidates: `more` says that others may match, and `many` that
   * more match than were examined. With a small folder, `more` concerns only items outside it.
   */
  around: (
    db: Knex,
    about?: { folderId?: number | null; most?: number },
  ) => Promise<{ ids: Set<number>; more: boolean; many: boolean }>;
}

export type Surroundings = ReturnType<typeof surroundings>;

/** Matches items by the names of their folders and client too. Each word is looked up at most once, on first use. */
function surroundings(viewer: FirmViewer, query: string) {
  const each = [...new Set(words(readable(query)))];
  let looked: Promise<{ known: Word[]; matching: Matching }> | undefined;
  const look = (db: Knex) =>
    (looked ??= lookUp(db, viewer, each.slice(0, WORDS)).then((known) => ({
      known,
      matching:
        known.length < each.length
          ? createMatching(viewer, each.map(wantedOf))
          : createMatching(
              viewer,
              known.map(({ wanted }) => wanted),
              new Map(known.map(({ wanted, clients }) => [wanted, clients])),
            ),
    })));
  return {
    /** See `Search.clients`. */
    async clients(db: Knex): Promise<ReadonlySet<number> | null> {
      return onlyClients((await look(db)).known);
    },
    /**
     * Whether to call `around` before searching for names with every word: with several words, one probably has few
     * candidates, which `around` examines completely and sooner.
     */
    async first(db: Knex): Promise<boolean> {
      return each.length >= SEVERAL && leadsToFew((await look(db)).known);
    },
    /** See `searchAround`. */
    async around(db: Knex, about?: { folderId?: number | null; most?: number }) {
      const { known, matching } = await look(db);
      return searchAround(db, viewer, known, matching, about);
    },
    async among<R extends Placed>(db: Knex, rows: readonly R[]): Promise<R[]> {
      const matching = looked ? (await looked).matching : createMatching(viewer, each.map(wantedOf));
      return matching(db, rows);
    },
  };
}

const ask = (firmId: number, query: string): Questions | null =>
  query.trim().length < SEARCH_MIN ? null : questions(firmId, readable(query));

/** The newest visible items whose entries match the expression. */
const newest = (db: Knex, viewer: FirmViewer, question: string, limit: number): Promise<Candidate[]> =>
  newestItems(db, ['id', 'name', 'type', 'modified_at'], {
    firmId: viewer.firmId,
    question,
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
  surroundings: (viewer: FirmViewer, query: string): Surroundings | null =>
    ask(viewer.firmId, query) && surroundings(viewer, query),

  /** The query as a filter for other lists. Null for a query that is too short or has no searchable word. */
  lookFor(viewer: FirmViewer, query: string): Search | null {
    const asked = ask(viewer.firmId, query);
    if (!asked) return null;
    const { among, around, clients } = surroundings(viewer, query);
    const visible = isVisibleJoined(viewer, ENTRY_ID);
    return {
      sql: matchingWhere(visible),
      bindings: [asked.parts],
      newest: (limit) => newestWhere(limit, visible),
      matches: matcher(query),
      among,
      clients,
      async around(db, about) {
        const { items, ...told } = await around(db, about);
        return { ids: new Set(items.map(({ id }) => id)), ...told };
      },
    };
  },

  /** Matching items inside the deleted folders in the firm's Trash, newest first; `root` is the deleted folder. */
  async inTrash(
    db: Knex,
    firmId: number,
    query: string,
    limit: number = TRASH_BOUND,
  ): Promise<{ id: number; root: number; name: string; parent_id: number }[]> {
    const asked = ask(firmId, query);
    if (!asked) return [];
    const found = await newestInTrash(db, { firmId, question: asked.parts, limit });
    const matches = matcher(query);
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
    bound: number = BOUND,
  ): Promise<{ candidates: Candidate[]; more: boolean }> {
    const asked = ask(viewer.firmId, query);
    if (!asked) return { candidates: [], more: false };
    const widest = await newest(db, viewer, asked.parts, bound);
    // The widest expression has returned all matches; the narrower ones would add nothing.
    if (widest.length < bound) return { candidates: widest, more: false };
    const found = new Map(widest.map((one) => [one.id, one]));
    const narrower = [asked.whole, asked.start].filter((question) => question !== null);
    for (const few of await Promise.all(narrower.map((one) => newest(db, viewer, one, NARROW_BOUND))))
      for (const one of few) found.set(one.id, one);
    return { candidates: [...found.values()], more: true };
  },
};
export type { Placed };
export type { Bound, Narrowing } from './filter-conditions.ts';
