import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { FilesPage, FilesQuery, ItemView } from '#server/documents/contract.ts';
import type { Clients } from '#server/clients/service.ts';
import { EACH, checkOnly, list, queryRows } from '#server/db/sql.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { Reading } from '#server/reading/service.ts';
import type { TextHits } from '#server/reading/contract.ts';
import { fold } from '#server/text/fold.ts';
import { isVisible, visibleItems } from '#server/visibility/visible.ts';
import type { PersonHit, SearchResults } from './contract.ts';
import { CLIENTS_SHOWN, INSIDE_SHOWN, PEOPLE_SHOWN, SEARCH_MIN, SEARCH_MIN_TYPED } from './contract.ts';
import { FAR_BOUND, searchIndex } from './index.ts';
import type { Bound, Narrowing, NarrowingParts } from './filter-conditions.ts';
import { createNarrowing } from './filter-conditions.ts';
import type { Candidate } from './rank.ts';
import { rank } from './rank.ts';

/** The default number of results. */
const SHOWN = 20;
/** Items read by labels. */
const LABELLED = 200;
/** Files that match by their text in a list of the drive, newest first. */
const LISTED = 500;

export interface SearchParts {
  db: Knex;
  /** Views of the firm's items in the order of the ids, each with its path; items deleted meanwhile are omitted. */
  views: (actor: Actor, ids: readonly number[]) => Promise<ItemView[]>;
  /** A page of the files that match a search with filters, newest first. */
  files: (actor: Actor, query: FilesQuery) => Promise<FilesPage>;
  clients: Pick<Clients, 'lookUp'>;
  texts: Pick<Reading, 'find' | 'ids' | 'yearExpression'>;
  /** At most `most` items with a label whose name contains these words. */
  labelled: (actor: Actor, text: string, most: number) => Promise<number[]>;
  people: NarrowingParts['people'];
  recognised: NarrowingParts['recognised'];
}

/** The type of items and the folder that a search is restricted to. */
export interface SearchWithin {
  type?: 'folder' | undefined;
  folder?: number | undefined;
}

const NO_HITS: TextHits = { hits: [], more: false };

export function createSearch({
  db,
  views,
  files,
  clients,
  texts,
  labelled,
  people,
  recognised,
}: SearchParts) {
  const narrowingOf = createNarrowing({ db, people, recognised, yearInTexts: texts.yearExpression });

  /** Searches items by name and ranks those that `fits` accepts. */
  async function named(
    actor: Actor,
    query: string,
    { limit, fits }: { limit: number; fits: (one: Candidate) => boolean },
  ) {
    const wanted = (all: readonly Candidate[]) => rank(all.filter(fits), query);
    const above = searchIndex.surroundings(actor, query);
    if (!above) return { ranked: [], more: false };
    const begun = (await above.first(db)) ? await above.around(db) : null;
    // `begun` includes the items whose own names contain every word: it is complete, or a word is only in names of clients and
    // no item's own name can contain every word.
    if (begun && (!begun.more || (await above.clients(db))))
      return { ranked: wanted(begun.items), more: begun.more };
    let { candidates, more } = await searchIndex.candidates(db, actor, query);
    let ranked = wanted(candidates);
    if (more && ranked.length < limit) {
      ({ candidates, more } = await searchIndex.candidates(db, actor, query, FAR_BOUND));
      ranked = wanted(candidates);
    }
    // Matches by folder and client names rank last, so a full page of own names makes them unnecessary.
    if (ranked.length >= limit) return { ranked, more: true };
    const around = begun ?? (await above.around(db));
    const known = new Set(ranked.map(({ id }) => id));
    return {
      ranked: wanted([...ranked, ...around.items.filter(({ id }) => !known.has(id))]),
      more: more || around.more,
    };
  }

  /** The condition that an item `i` is below a folder; null without a folder. */
  function below(actor: Actor, folder: number | undefined): Bound | null {
    if (folder === undefined) return null;
    return {
      sql: `i.id IN (WITH RECURSIVE below(id) AS (
          SELECT id FROM ${visibleItems(actor)} f WHERE f.parent_id = ?
          UNION ALL SELECT c.id FROM below CROSS JOIN ${visibleItems(actor)} c WHERE c.parent_id = below.id
        ) SELECT id FROM below)`,
      bindings: [folder],
    };
  }

  /** The combined condition of the filters and the folder on items `i`; null if there is none. */
  function boundOf(actor: Actor, { asked }: Narrowing, folder: number | undefined): Bound | null {
    const inFolder = below(actor, folder);
    const each = asked.map(({ condition }) => condition((column) => checkOnly(`i.${column}`)));
    const all = inFolder ? [...each, inFolder] : each;
    if (all.length === 0) return null;
    return {
      sql: all.map(({ sql }) => sql).join(' AND '),
      bindings: all.flatMap(({ bindings }) => bindings),
    };
  }

  /** Filters ids to those of the visible items that meet a condition, in their order. */
  async function passing(actor: Actor, ids: readonly number[], bound: Bound): Promise<number[]> {
    const visible = isVisible(actor, 'i');
    const rows = await queryRows<{ id: number }>(
      db,
      `SELECT i.id FROM items i WHERE i.id IN (${EACH}) AND i.firm_id = ? AND ${bound.sql}${visible && ` AND ${visible}`}`,
      [list(ids), actor.firmId, ...bound.bindings],
    );
    const passed = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => passed.has(id));
  }

  async function findItems(
    actor: Actor,
    narrowing: Narrowing,
    { query, limit, within }: { query: string; limit: number; within: SearchWithin },
  ) {
    const { text, asked } = narrowing;
    const bound = boundOf(actor, narrowing, within.folder);
    if (asked.length > 0 && text.trim() === '' && within.folder === undefined) {
      // Only filters: the newest matching files.
      const page = await files(actor, { search: query, limit });
      return { ids: page.items.map(({ id }) => id), more: page.next_cursor !== null };
    }
    const fits = ({ type }: Candidate) =>
      within.type ? type === within.type : type === 'file' || !narrowing.filesOnly;
    const { ranked, more } = await named(actor, text, { limit: bound ? FAR_BOUND : limit, fits });
    // Matches by label follow those by name; a search for folders ignores labels.
    const bearing = within.type || text.trim() === '' ? [] : await labelled(actor, text, LABELLED);
    const ids = [...new Set([...ranked.map(({ id }) => id), ...bearing])];
    const rest = more || bearing.length === LABELLED;
    if (!bound) return { ids, more: rest };
    const passed = await passing(actor, ids, bound);
    if (!more || passed.length >= limit || asked.length === 0) return { ids: passed, more: rest };
    // Only the newest of very many matches by name were examined; the listing of files examines all.
    const page = await files(actor, { search: query, limit });
    const others = await passing(
      actor,
      page.items.map(({ id }) => id),
      bound,
    );
    return { ids: [...new Set([...passed, ...others])], more: rest };
  }

  async function findClients(actor: Actor, query: string) {
    const enough = query.trim().length >= SEARCH_MIN_TYPED;
    const hits = enough ? await clients.lookUp(actor, query, CLIENTS_SHOWN + 1) : [];
    return { clients: hits.slice(0, CLIENTS_SHOWN), more_clients: hits.length > CLIENTS_SHOWN };
  }

  async function inside(
    actor: Actor,
    narrowing: Narrowing,
    limit: number,
    folder: number | undefined,
  ): Promise<TextHits> {
    if (narrowing.text.trim().length < SEARCH_MIN || narrowing.notes.length > 0) return NO_HITS;
    const bound = boundOf(actor, narrowing, folder);
    return texts.find(actor, narrowing.text, limit, bound ?? undefined);
  }

  async function demandFolder(actor: Actor, id: number | undefined): Promise<void> {
    if (id === undefined) return;
    const visible = isVisible(actor, 'i');
    const [row] = await queryRows(
      db,
      `SELECT i.id FROM items i WHERE i.id = ? AND i.firm_id = ? AND i.type = 'folder'${visible && ` AND ${visible}`}`,
      [id, actor.firmId],
    );
    if (!row) throw notFound('folder');
  }

  return {
    /** Parses a search as typed, for lists that it filters. */
    narrowingOf,

    /** Suggestions for `from:`: people of the firm whose names contain all the words. @throws {AppError} 403. */
    async people(actor: Actor, text: string): Promise<PersonHit[]> {
      const words = fold(text).trim().split(/\s+/);
      return (await people(actor))
        .filter(({ label }) => words.every((word) => fold(label).includes(word)))
        .slice(0, PEOPLE_SHOWN)
        .map(({ value, label }) => ({ id: value, name: label }));
    },

    /** Ids of the newest files whose text contains the words of a search. */
    async listedInside(actor: Actor, narrowing: Narrowing): Promise<number[]> {
      const { text, notes } = narrowing;
      if (text.trim().length < SEARCH_MIN || notes.length > 0) return [];
      const bound = boundOf(actor, narrowing, undefined) ?? undefined;
      const whole = await texts.ids(actor, text, LISTED, bound);
      if (whole.length >= SHOWN) return whole;
      const { hits } = await texts.find(actor, text, SHOWN, bound);
      return [...new Set([...whole, ...hits.map(({ item }) => item.id)])];
    },

    /**
     * Files whose text contains the words of the query in any order, newest first, each with the line and the page. A word
     * also matches as the start of a longer one; a phrase is put in quotation marks.
     * @throws {AppError} 403; 404 for an unknown folder.
     */
    async findInside(actor: Actor, query: string, limit = SHOWN, folder?: number): Promise<TextHits> {
      if (!may(actor, 'documents.read')) throw forbidden();
      await demandFolder(actor, folder);
      return inside(actor, await narrowingOf(actor, query), limit, folder);
    },

    /**
     * Items (or only folders) whose own names, with those of their folders and client, contain every word of the query, best
     * match first; with them matching clients, and a few files whose text contains the words. Filters (see
     * `text/search-filters.ts`) restrict the items and files.
     * @throws {AppError} 403; 404 for an unknown folder.
     */
    async find(
      actor: Actor,
      query: string,
      limit = SHOWN,
      within: SearchWithin = {},
    ): Promise<SearchResults> {
      if (!may(actor, 'documents.read')) throw forbidden();
      await demandFolder(actor, within.folder);
      const narrowing = await narrowingOf(actor, query);
      const { text, notes } = narrowing;
      if (notes.length > 0) {
        const none = { items: [], total: 0, more: false, inside: [], more_inside: false };
        return { ...none, clients: [], more_clients: false, notes };
      }
      const plain = narrowing.asked.length === 0 && within.folder === undefined;
      const [found, hits, said] = await Promise.all([
        findItems(actor, narrowing, { query, limit, within }),
        plain ? findClients(actor, text) : { clients: [], more_clients: false },
        within.type ? NO_HITS : inside(actor, narrowing, INSIDE_SHOWN, within.folder),
      ]);
      const known = new Set(found.ids);
      // A file that matches by both name and text counts once.
      const others = said.hits.filter(({ item }) => !known.has(item.id)).length;
      return {
        items: await views(actor, found.ids.slice(0, limit)),
        total: found.ids.length + others,
        more: found.more || said.more,
        ...hits,
        inside: said.hits,
        more_inside: said.more,
        notes,
      };
    },
  };
}
export type Search = ReturnType<typeof createSearch>;
