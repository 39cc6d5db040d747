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

/** So many of the newest entries that match in Trash are told of. */
const TRASH_BOUND = 10_000;
/** How far the index is read for one question; what lies behind is told as "more". */
const BOUND = 200;
/** The same when most of what came did not match: grams that are common, but seldom together in this order. */
export const FAR_BOUND = 5000;
const NARROW_BOUND = 30;
/** Words that are looked up, each for itself; what else is asked for must stand beside them. */
const WORDS = 10;
/** From so many words on one of them is likely to lead to few items. */
const SEVERAL = 3;

/** A query that other lists are narrowed by; an item matches it as `around` says. */
export interface Search {
  /** Selects the ids of the items whose own names may match, of which `matches` then drops some. */
  sql: string;
  bindings: string[];
  /** Selects the newest of them, so many at the most, with the same bindings. */
  newest: (limit: number) => string;
  /** Whether an item's own name matches. */
  matches: Matcher;
  /** Those of the firm's items that match, in their order. */
  among: <R extends Placed>(db: Knex, rows: readonly R[]) => Promise<R[]>;
  /** The clients to one of which all that matches belongs; null where it may be anybody's. */
  clients: (db: Knex) => Promise<ReadonlySet<number> | null>;
  /**
   * Ids of the items that match, from a bounded look at what is named so: `more` tells that there may be others, and
   * `many` that they are more than it looks at. With a folder, others only outside of it.
   */
  around: (
    db: Knex,
    about?: { folderId?: number | null; most?: number },
  ) => Promise<{ ids: Set<number>; more: boolean; many: boolean }>;
}

export type Surroundings = ReturnType<typeof surroundings>;

/** What a query finds by names above the items. Each of its words is looked up at most once, when that is first needed. */
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
    /** The clients to one of which all that matches belongs; null where it may be anybody's. */
    async clients(db: Knex): Promise<ReadonlySet<number> | null> {
      return onlyClients((await look(db)).known);
    },
    /**
     * Whether to begin with names above: of several words one is likely to lead to few items, by which all are found that
     * match, and to look for names that hold every word would take longer.
     */
    async first(db: Knex): Promise<boolean> {
      return each.length >= SEVERAL && leadsToFew((await look(db)).known);
    },
    /** The items that match by their names together with those of folders above and of the client; see there. */
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

/** The newest of the items that the viewer sees whose names match. */
const newest = (db: Knex, viewer: FirmViewer, question: string, limit: number): Promise<Candidate[]> =>
  newestItems(db, ['id', 'name', 'type', 'modified_at'], {
    firmId: viewer.firmId,
    question,
    limit,
    condition: isVisibleJoined(viewer, ENTRY_ID),
  });

/**
 * The index of items' names. Every call that writes takes the transaction that changes the items, so that index and
 * items never differ.
 */
export const searchIndex = {
  add: (
    trx: Knex.Transaction,
    { id, firm_id, name }: { id: number; firm_id: number; name: string },
  ): Promise<void> => addEntries(trx, [{ id, grams: nameTokens(firm_id, name) }]),

  /** What `addAll` takes for a name; computing it is most of the work. */
  gramsOf: (firmId: number, name: string): string => nameTokens(firmId, name),

  /** As `add`, for many items at once. */
  addAll: addEntries,

  removeAll: removeEntries,

  /** Takes the parts of names that were removed out of the database's file too, in short transactions. */
  forgetRemoved: purgeRemovedGrams,

  async rename(trx: Knex.Transaction, item: { id: number; firm_id: number; name: string }): Promise<void> {
    await removeEntries(trx, [item.id]);
    await searchIndex.add(trx, item);
  },

  /** Null when the query says too little to look for. */
  surroundings: (viewer: FirmViewer, query: string): Surroundings | null =>
    ask(viewer.firmId, query) && surroundings(viewer, query),

  /** How to find what matches the query in another list. Null when the query says too little to look for. */
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

  /** What matches of all that lies in the firm's folders in Trash, the newest first, with the folder that was deleted. */
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
   * What may match, from a bounded look into the index: the names that are the query, then those that begin with it,
   * then those that hold its parts; the newest of each. `more` tells that the bound was reached.
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
    // Few enough to have them all: the narrower questions would find nothing new.
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
