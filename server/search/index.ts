import type { Knex } from 'knex';
import type { Candidate } from './ranking.ts';
import { SEARCH_MIN } from './contract.ts';
import type { Questions } from './grams.ts';
import { nameTokens, questions, words } from './grams.ts';
import type { Surrounded } from './surroundings.ts';
import { searchAround } from './surroundings.ts';
import type { Condition, Matcher } from './matching.ts';
import { likely, matcher, readable } from './matching.ts';

/** How far the index is read for one question; what lies behind is told as "more". */
export const BOUND = 200;
/** The same when most of what came did not match: grams that are common, but seldom together in this order. */
export const FAR_BOUND = 5000;
const NARROW_BOUND = 30;

const ask = (firmId: number, query: string): Questions | null =>
  query.trim().length < SEARCH_MIN ? null : questions(firmId, readable(query));

/**
 * Newest first is how FTS5 walks backwards: it stops at the bound, however many match. CROSS JOIN keeps SQLite from
 * reading the whole firm first.
 */
function newest(db: Knex, firmId: number, question: string, bound: number): Promise<Candidate[]> {
  return db.raw(
    `SELECT i.id, i.name, i.type, i.modified_at
     FROM item_search CROSS JOIN items i
     WHERE item_search MATCH ? AND i.id = item_search.rowid AND i.firm_id = ?
     ORDER BY item_search.rowid DESC LIMIT ?`,
    [question, firmId, bound],
  );
}

/**
 * The full-text index of names: the one place that knows SQLite's FTS5. Every call takes the transaction that
 * changes the items, so that index and items never differ.
 */
export const searchIndex = {
  async add(trx: Knex, item: { id: number; firm_id: number; name: string }): Promise<void> {
    await trx.raw('INSERT INTO item_search (rowid, grams) VALUES (?, ?)', [
      item.id,
      nameTokens(item.firm_id, item.name),
    ]);
  },

  /** What `addAll` takes for a name; computing it is most of the work. */
  gramsOf: (firmId: number, name: string): string => nameTokens(firmId, name),

  /** As `add`, for many items at once. */
  async addAll(trx: Knex, items: readonly { id: number; grams: string }[]): Promise<void> {
    const rows = items.map(() => '(?, ?)').join(', ');
    const values = items.flatMap(({ id, grams }) => [id, grams]);
    await trx.raw(`INSERT INTO item_search (rowid, grams) VALUES ${rows}`, values);
  },

  async removeAll(trx: Knex, ids: readonly number[]): Promise<void> {
    await trx('item_search').whereIn('rowid', ids).delete();
  },

  async rename(trx: Knex, item: { id: number; firm_id: number; name: string }): Promise<void> {
    await trx.raw('DELETE FROM item_search WHERE rowid = ?', [item.id]);
    await searchIndex.add(trx, item);
  },

  /** The items that match by their names together with those of folders above and of the client; see there. */
  async around(db: Knex, firmId: number, query: string): Promise<{ items: Surrounded[]; more: boolean }> {
    if (!ask(firmId, query)) return { items: [], more: false };
    return searchAround(db, firmId, words(readable(query)));
  },

  /**
   * How to find the items whose names match the query: `sql` selects ids, some of which `matches` then drops.
   * `likely` is a condition on `name` that says nearly the same. Null when the query says too little to look for.
   */
  lookFor(firmId: number, query: string): (Condition & { likely: Condition; matches: Matcher }) | null {
    const asked = ask(firmId, query);
    if (!asked) return null;
    const sql = 'SELECT rowid FROM item_search WHERE item_search MATCH ?';
    return { sql, bindings: [asked.parts], likely: likely(query), matches: matcher(query) };
  },

  /**
   * What may match, from a bounded look into the index: the names that are the query, then those that begin with it,
   * then those that hold its parts; the newest of each. `more` tells that the bound was reached.
   */
  async candidates(
    db: Knex,
    firmId: number,
    query: string,
    bound: number = BOUND,
  ): Promise<{ candidates: Candidate[]; more: boolean }> {
    const asked = ask(firmId, query);
    if (!asked) return { candidates: [], more: false };
    const widest = await newest(db, firmId, asked.parts, bound);
    // Few enough to have them all: the narrower questions would find nothing new.
    if (widest.length < bound) return { candidates: widest, more: false };
    const found = new Map(widest.map((one) => [one.id, one]));
    const narrower = [asked.whole, asked.start].filter((question) => question !== null);
    for (const few of await Promise.all(narrower.map((one) => newest(db, firmId, one, NARROW_BOUND))))
      for (const one of few) found.set(one.id, one);
    return { candidates: [...found.values()], more: true };
  },
};
export type SearchIndex = typeof searchIndex;
