import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { Clients } from '#server/clients/service.ts';
import { forbidden } from '#server/http/errors.ts';
import type { Reading } from '#server/reading/service.ts';
import type { TextHits } from '#server/reading/contract.ts';
import type { SearchResults } from './contract.ts';
import { CLIENTS_SHOWN, INSIDE_SHOWN, SEARCH_MIN, SEARCH_MIN_TYPED } from './contract.ts';
import { FAR_BOUND, searchIndex } from './index.ts';
import type { Candidate } from './rank.ts';
import { rank } from './rank.ts';
import { may } from '#server/actor.ts';

/** How many results come when no number is asked for. */
const SHOWN = 20;
/** Items that a label leads to. */
const LABELLED = 200;

export interface SearchParts {
  db: Knex;
  /** Views of the firm's items in the order of the ids, each with its path; what is gone is left out. */
  views: (actor: Actor, ids: readonly number[]) => Promise<ItemView[]>;
  clients: Pick<Clients, 'lookUp'>;
  texts: Pick<Reading, 'find'>;
  /** Items that bear a label with these words in its name; at most so many. */
  labelled: (actor: Actor, text: string, most: number) => Promise<number[]>;
}

export function createSearch({ db, views, clients, texts, labelled }: SearchParts) {
  async function findItems(actor: Actor, query: string, limit: number, type: 'folder' | undefined) {
    const wanted = (all: readonly Candidate[]) =>
      rank(type ? all.filter((one) => one.type === type) : all, query);
    const shown = async (ranked: readonly Candidate[], more: boolean) => {
      // After those that are named so; of folders alone nobody asks by a label.
      const bearing = type ? [] : await labelled(actor, query, LABELLED);
      const ids = [...new Set([...ranked.map(({ id }) => id), ...bearing])];
      const items = await views(actor, ids.slice(0, limit));
      return { items, total: ids.length, more: more || bearing.length === LABELLED };
    };
    const above = searchIndex.surroundings(actor, query);
    if (!above) return shown([], false);

    const begun = (await above.first(db)) ? await above.around(db) : null;
    // Names of items that hold every word are among them: all, or none where a word stands in clients' names alone.
    if (begun && (!begun.more || (await above.clients(db)))) return shown(wanted(begun.items), begun.more);
    let { candidates, more } = await searchIndex.candidates(db, actor, query);
    let ranked = wanted(candidates);
    if (more && ranked.length < limit) {
      ({ candidates, more } = await searchIndex.candidates(db, actor, query, FAR_BOUND));
      ranked = wanted(candidates);
    }
    // As long as names alone fill the answer, nobody would see what folders and clients add to it.
    if (ranked.length >= limit) return shown(ranked, true);
    const around = begun ?? (await above.around(db));
    const known = new Set(ranked.map(({ id }) => id));
    return shown(
      wanted([...ranked, ...around.items.filter(({ id }) => !known.has(id))]),
      more || around.more,
    );
  }

  async function findClients(actor: Actor, query: string) {
    const enough = query.trim().length >= SEARCH_MIN_TYPED;
    const hits = enough ? await clients.lookUp(actor, query, CLIENTS_SHOWN + 1) : [];
    return { clients: hits.slice(0, CLIENTS_SHOWN), more_clients: hits.length > CLIENTS_SHOWN };
  }

  const inside = async (actor: Actor, query: string, limit: number): Promise<TextHits> =>
    query.trim().length < SEARCH_MIN ? { hits: [], more: false } : texts.find(actor, query, limit);

  return {
    /**
     * Files in whose text the words of the query stand, in any order; words may go on, phrases stand in quotation marks.
     * The newest first, each with the line and the page.
     * @throws {AppError} 403.
     */
    async findInside(actor: Actor, query: string, limit = SHOWN): Promise<TextHits> {
      if (!may(actor, 'documents.read')) throw forbidden();
      return inside(actor, query, limit);
    },

    /**
     * The firm's items, or only its folders, whose names, with those of the folders above and of the client, hold every
     * word of the query, the likeliest first, clients that have them, and a
     * few files that hold them in their text.
     * @throws {AppError} 403.
     */
    async find(
      actor: Actor,
      query: string,
      limit = SHOWN,
      type?: 'folder' | undefined,
    ): Promise<SearchResults> {
      if (!may(actor, 'documents.read')) throw forbidden();
      const [items, hits, texts] = await Promise.all([
        findItems(actor, query, limit, type),
        findClients(actor, query),
        type ? { hits: [], more: false } : inside(actor, query, INSIDE_SHOWN),
      ]);
      return { ...items, ...hits, inside: texts.hits, more_inside: texts.more };
    },
  };
}
export type Search = ReturnType<typeof createSearch>;
