import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { FilesPage, FilesQuery, ItemView } from '#server/documents/contract.ts';
import type { Clients } from '#server/clients/service.ts';
import { BOUND_IDS, checkOnly, bindList, queryRows } from '#server/db/sql.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { Reading } from '#server/reading/service.ts';
import type { TextHits } from '#server/reading/contract.ts';
import { fold } from '#server/text/fold.ts';
import { andVisible, isVisible, visibleItems } from '#server/visibility/visible.ts';
import type { PersonHit, SearchResults } from './contract.ts';
import { CLIENTS_SHOWN, INSIDE_SHOWN, PEOPLE_SHOWN, SEARCH_MIN, SEARCH_MIN_TYPED } from './contract.ts';
import { MAX_READ_AGAIN, searchIndex } from './index.ts';
import type { SqlCondition, ParsedSearch, SearchParserDependencies } from './filter-conditions.ts';
import { createSearchParser } from './filter-conditions.ts';
import type { Candidate } from './rank.ts';
import { rank } from './rank.ts';

/** The default number of results. */
const DEFAULT_LIMIT = 20;
/** Items read that have a matching label. */
const MAX_LABELLED = 200;
/** Files that match by their text in a list of the drive, newest first. */
const MAX_LISTED = 500;

interface SearchDependencies {
  db: Knex;
  /** Views of the firm's items in the order of the ids, each with its path; items deleted meanwhile are omitted. */
  views: (actor: Actor, ids: readonly number[]) => Promise<ItemView[]>;
  /** A page of the files that match a search with filters, newest first. */
  files: (actor: Actor, query: FilesQuery) => Promise<FilesPage>;
  clients: Pick<Clients, 'lookUp'>;
  texts: Pick<Reading, 'find' | 'ids' | 'yearExpression'>;
  /** At most `most` items with a label whose name contains these words. */
  labelled: (actor: Actor, text: string, most: number) => Promise<number[]>;
  people: SearchParserDependencies['people'];
  recognised: SearchParserDependencies['recognised'];
}

/** The type of items and the folder that a search is restricted to. */
interface SearchWithin {
  type?: 'folder' | undefined;
  folder?: number | undefined;
}

const NO_TEXT_HITS: TextHits = { hits: [], more: false };

export function createSearch({
  db,
  views,
  files,
  clients,
  texts,
  labelled,
  people,
  recognised,
}: SearchDependencies) {
  const parseSearch = createSearchParser({ db, people, recognised, yearInTexts: texts.yearExpression });

  /** Searches items by name and ranks those that `fits` accepts. */
  async function searchByName(
    actor: Actor,
    query: string,
    { limit, fits }: { limit: number; fits: (candidate: Candidate) => boolean },
  ) {
    const rankFitting = (all: readonly Candidate[]) => rank(all.filter(fits), query);
    const contextSearch = searchIndex.contextSearch(actor, query);
    if (!contextSearch) return { ranked: [], more: false };
    const early = (await contextSearch.shouldRunFirst(db)) ? await contextSearch.searchWithContext(db) : null;
    // `early` includes every item whose own name contains all words: either it is complete, or some word is only in names of
    // clients, so that no item's own name contains all words.
    if (early && (!early.more || (await contextSearch.requiredClients(db))))
      return { ranked: rankFitting(early.items), more: early.more };
    let { candidates, more } = await searchIndex.candidates(db, actor, query);
    let ranked = rankFitting(candidates);
    if (more && ranked.length < limit) {
      ({ candidates, more } = await searchIndex.candidates(db, actor, query, MAX_READ_AGAIN));
      ranked = rankFitting(candidates);
    }
    // Matches by folder and client names rank last, so a full page of own names makes them unnecessary.
    if (ranked.length >= limit) return { ranked, more: true };
    const withContext = early ?? (await contextSearch.searchWithContext(db));
    const known = new Set(ranked.map(({ id }) => id));
    return {
      ranked: rankFitting([...ranked, ...withContext.items.filter(({ id }) => !known.has(id))]),
      more: more || withContext.more,
    };
  }

  /** The condition that an item `i` is below a folder; null without a folder. */
  function belowFolder(actor: Actor, folder: number | undefined): SqlCondition | null {
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
  function combinedCondition(
    actor: Actor,
    { conditions }: ParsedSearch,
    folder: number | undefined,
  ): SqlCondition | null {
    const inFolder = belowFolder(actor, folder);
    const filters = conditions.map(({ condition }) => condition((column) => checkOnly(`i.${column}`)));
    const all = inFolder ? [...filters, inFolder] : filters;
    if (all.length === 0) return null;
    return {
      sql: all.map(({ sql }) => sql).join(' AND '),
      bindings: all.flatMap(({ bindings }) => bindings),
    };
  }

  /** Filters ids to those of the visible items that meet a condition, in their order. */
  async function filterIds(actor: Actor, ids: readonly number[], condition: SqlCondition): Promise<number[]> {
    const visible = isVisible(actor, 'i');
    const rows = await queryRows<{ id: number }>(
      db,
      `SELECT i.id FROM items i WHERE i.id IN (${BOUND_IDS}) AND i.firm_id = ? AND ${condition.sql}${visible && ` AND ${visible}`}`,
      [bindList(ids), actor.firmId, ...condition.bindings],
    );
    const passed = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => passed.has(id));
  }

  /** The newest visible files, or folders, that meet a condition. */
  async function newestOf(
    actor: Actor,
    type: 'file' | 'folder',
    condition: SqlCondition,
    limit: number,
  ): Promise<{ ids: number[]; more: boolean }> {
    const rows = await queryRows<{ id: number }>(
      db,
      `SELECT i.id FROM items i WHERE i.firm_id = ? AND i.type = '${type}' AND ${condition.sql}${andVisible(actor, 'i')}
       ORDER BY i.modified_at DESC, i.id DESC LIMIT ?`,
      [actor.firmId, ...condition.bindings, limit + 1],
    );
    return { ids: rows.slice(0, limit).map(({ id }) => id), more: rows.length > limit };
  }

  async function findItems(
    actor: Actor,
    search: ParsedSearch,
    { query, limit, within }: { query: string; limit: number; within: SearchWithin },
  ) {
    const { text, conditions } = search;
    const condition = combinedCondition(actor, search, within.folder);
    if (conditions.length > 0 && condition && text.trim() === '') {
      // Only filters: the newest matching files, or the folders if these are asked for.
      const type = within.type ?? search.only ?? 'file';
      if (type === 'folder' || within.folder !== undefined) return newestOf(actor, type, condition, limit);
      const page = await files(actor, { search: query, limit });
      return { ids: page.items.map(({ id }) => id), more: page.next_cursor !== null };
    }
    const fits = ({ type }: Candidate) =>
      within.type ? type === within.type : type === 'file' || search.only !== 'file';
    const { ranked, more } = await searchByName(actor, text, {
      limit: condition ? MAX_READ_AGAIN : limit,
      fits,
    });
    // Matches by label follow those by name; a search for folders ignores labels.
    const labelledIds = within.type || text.trim() === '' ? [] : await labelled(actor, text, MAX_LABELLED);
    const ids = [...new Set([...ranked.map(({ id }) => id), ...labelledIds])];
    const rest = more || labelledIds.length === MAX_LABELLED;
    if (!condition) return { ids, more: rest };
    const passed = await filterIds(actor, ids, condition);
    if (!more || passed.length >= limit || conditions.length === 0 || within.type)
      return { ids: passed, more: rest };
    // Only the newest of very many matches by name were examined; the listing of files examines all.
    const page = await files(actor, { search: query, limit });
    const others = await filterIds(
      actor,
      page.items.map(({ id }) => id),
      condition,
    );
    return { ids: [...new Set([...passed, ...others])], more: rest };
  }

  async function findClients(actor: Actor, query: string) {
    const enough = query.trim().length >= SEARCH_MIN_TYPED;
    const hits = enough ? await clients.lookUp(actor, query, CLIENTS_SHOWN + 1) : [];
    return { clients: hits.slice(0, CLIENTS_SHOWN), more_clients: hits.length > CLIENTS_SHOWN };
  }

  async function searchTexts(
    actor: Actor,
    search: ParsedSearch,
    limit: number,
    folder: number | undefined,
  ): Promise<TextHits> {
    if (search.text.trim().length < SEARCH_MIN || search.notes.length > 0) return NO_TEXT_HITS;
    const condition = combinedCondition(actor, search, folder);
    return texts.find(actor, search.text, limit, condition ?? undefined);
  }

  async function requireFolder(actor: Actor, id: number | undefined): Promise<void> {
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
    parseSearch,

    /** Suggestions for `from:`: people of the firm whose names contain all the words. @throws {AppError} 403. */
    async people(actor: Actor, text: string): Promise<PersonHit[]> {
      const words = fold(text).trim().split(/\s+/);
      return (await people(actor))
        .filter(({ label }) => words.every((word) => fold(label).includes(word)))
        .slice(0, PEOPLE_SHOWN)
        .map(({ value, label }) => ({ id: value, name: label }));
    },

    /** Ids of the newest files whose text contains the words of a search. */
    async listedInside(actor: Actor, search: ParsedSearch): Promise<number[]> {
      const { text, notes } = search;
      if (text.trim().length < SEARCH_MIN || notes.length > 0) return [];
      const condition = combinedCondition(actor, search, undefined) ?? undefined;
      const ids = await texts.ids(actor, text, MAX_LISTED, condition);
      if (ids.length >= DEFAULT_LIMIT) return ids;
      const { hits } = await texts.find(actor, text, DEFAULT_LIMIT, condition);
      return [...new Set([...ids, ...hits.map(({ item }) => item.id)])];
    },

    /**
     * Files whose text contains the words of the query in any order, newest first, each with the line and the page. A word
     * also matches as the start of a longer one; a phrase is put in quotation marks.
     * @throws {AppError} 403; 404 for an unknown folder.
     */
    async findInside(actor: Actor, query: string, limit = DEFAULT_LIMIT, folder?: number): Promise<TextHits> {
      if (!may(actor, 'documents.read')) throw forbidden();
      await requireFolder(actor, folder);
      return searchTexts(actor, await parseSearch(actor, query), limit, folder);
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
      limit = DEFAULT_LIMIT,
      within: SearchWithin = {},
    ): Promise<SearchResults> {
      if (!may(actor, 'documents.read')) throw forbidden();
      await requireFolder(actor, within.folder);
      const search = await parseSearch(actor, query);
      const { text, notes } = search;
      if (notes.length > 0) {
        const none = { items: [], total: 0, more: false, inside: [], more_inside: false };
        return { ...none, clients: [], more_clients: false, notes };
      }
      const isUnrestricted = search.conditions.length === 0 && within.folder === undefined;
      const [found, clientHits, textHits] = await Promise.all([
        findItems(actor, search, { query, limit, within }),
        isUnrestricted ? findClients(actor, text) : { clients: [], more_clients: false },
        within.type ? NO_TEXT_HITS : searchTexts(actor, search, INSIDE_SHOWN, within.folder),
      ]);
      const known = new Set(found.ids);
      // A file that matches by both name and text counts once.
      const others = textHits.hits.filter(({ item }) => !known.has(item.id)).length;
      return {
        items: await views(actor, found.ids.slice(0, limit)),
        total: found.ids.length + others,
        more: found.more || textHits.more,
        ...clientHits,
        inside: textHits.hits,
        more_inside: textHits.more,
        notes,
      };
    },
  };
}
export type Search = ReturnType<typeof createSearch>;
