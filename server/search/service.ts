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

/** How many results come when no number is asked for. */
const SHOWN = 20;
/** Items that a label leads to. */
const LABELLED = 200;
/** Items found by what they say, of which the drive lists the newest. */
const LISTED = 500;

export interface SearchParts {
  db: Knex;
  /** Views of the firm's items in the order of the ids, each with its path; what is gone is left out. */
  views: (actor: Actor, ids: readonly number[]) => Promise<ItemView[]>;
  /** All files that a search with filters finds, the newest first. */
  files: (actor: Actor, query: FilesQuery) => Promise<FilesPage>;
  clients: Pick<Clients, 'lookUp'>;
  texts: Pick<Reading, 'find' | 'ids' | 'yearExpression'>;
  /** Items that bear a label with these words in its name; at most so many. */
  labelled: (actor: Actor, text: string, most: number) => Promise<number[]>;
  people: NarrowingParts['people'];
  recognised: NarrowingParts['recognised'];
}

/** Where a search looks, and for what. */
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

  /** Items by their names; only those that `fits` says count. */
  async function named(
    actor: Actor,
    query: string,
    { limit, fits }: { limit: number; fits: (one: Candidate) => boolean },
  ) {
    const wanted = (all: readonly Candidate[]) => rank(all.filter(fits), query);
    const above = searchIndex.surroundings(actor, query);
    if (!above) return { ranked: [], more: false };
    const begun = (await above.first(db)) ? await above.around(db) : null;
    // Names of items that hold every word are among them: all, or none where a word stands in clients' names alone.
    if (begun && (!begun.more || (await above.clients(db))))
      return { ranked: wanted(begun.items), more: begun.more };
    let { candidates, more } = await searchIndex.candidates(db, actor, query);
    let ranked = wanted(candidates);
    if (more && ranked.length < limit) {
      ({ candidates, more } = await searchIndex.candidates(db, actor, query, FAR_BOUND));
      ranked = wanted(candidates);
    }
    // As long as names alone fill the answer, nobody would see what folders and clients add to it.
    if (ranked.length >= limit) return { ranked, more: true };
    const around = begun ?? (await above.around(db));
    const known = new Set(ranked.map(({ id }) => id));
    return {
      ranked: wanted([...ranked, ...around.items.filter(({ id }) => !known.has(id))]),
      more: more || around.more,
    };
  }

  /** What lies below a folder; null for all. */
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

  /** What filters and a folder ask of the items `i`; null where they ask nothing. */
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

  /** Those of the items that a condition lets through, in their order. */
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
      // Filters alone: the newest of what they let through.
      const page = await files(actor, { search: query, limit });
      return { ids: page.items.map(({ id }) => id), more: page.next_cursor !== null };
    }
    const fits = ({ type }: Candidate) =>
      within.type ? type === within.type : type === 'file' || !narrowing.filesOnly;
    const { ranked, more } = await named(actor, text, { limit: bound ? FAR_BOUND : limit, fits });
    // After those that are named so; of folders alone nobody asks by a label.
    const bearing = within.type || text.trim() === '' ? [] : await labelled(actor, text, LABELLED);
    const ids = [...new Set([...ranked.map(({ id }) => id), ...bearing])];
    const rest = more || bearing.length === LABELLED;
    if (!bound) return { ids, more: rest };
    const passed = await passing(actor, ids, bound);
    if (!more || passed.length >= limit || asked.length === 0) return { ids: passed, more: rest };
    // Of very many with such a name only the newest were looked at: all files are found one by one.
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
    /** What a search as it was typed asks for, for lists that are narrowed by it. */
    narrowingOf,

    /** Who may be meant by `from:`: those of the firm in whose name the words stand. @throws {AppError} 403. */
    async people(actor: Actor, text: string): Promise<PersonHit[]> {
      const words = fold(text).trim().split(/\s+/);
      return (await people(actor))
        .filter(({ label }) => words.every((word) => fold(label).includes(word)))
        .slice(0, PEOPLE_SHOWN)
        .map(({ value, label }) => ({ id: value, name: label }));
    },

    /** Of the words of a search, the newest files that hold them in their text. */
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
     * Files in whose text the words of the query stand, in any order; words may go on, phrases stand in quotation marks.
     * The newest first, each with the line and the page.
     * @throws {AppError} 403; 404 for a folder that is not there.
     */
    async findInside(actor: Actor, query: string, limit = SHOWN, folder?: number): Promise<TextHits> {
      if (!may(actor, 'documents.read')) throw forbidden();
      await demandFolder(actor, folder);
      return inside(actor, await narrowingOf(actor, query), limit, folder);
    },

    /**
     * The firm's items, or only its folders, whose names, with those of the folders above and of the client, hold every
     * word of the query, the likeliest first, clients that have them, and a few files that hold them in their text.
     * Filters (see `text/search-filters.ts`) narrow them down.
     * @throws {AppError} 403; 404 for a folder that is not there.
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
      // What is found by its name and by its text is one.
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
