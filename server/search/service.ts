import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { forbidden } from '#server/http/errors.ts';
import type { SearchResults } from './contract.ts';
import type { SearchIndex } from './index.ts';
import { FAR_BOUND } from './index.ts';
import { rank } from './ranking.ts';

/** How many results come when no number is asked for. */
const SHOWN = 20;

export interface SearchParts {
  db: Knex;
  index: SearchIndex;
  /** Views of the firm's items in the order of the ids, each with its path; what is gone is left out. */
  views: (actor: Actor, ids: readonly number[]) => Promise<ItemView[]>;
  mayRead: (actor: Actor) => boolean;
}

export function createSearch({ db, index, views, mayRead }: SearchParts) {
  return {
    /**
     * The firm's items whose names hold every word of the query, the likeliest first.
     * @throws {AppError} 403.
     */
    async find(actor: Actor, query: string, limit = SHOWN): Promise<SearchResults> {
      if (!mayRead(actor)) throw forbidden();
      let { candidates, more } = await index.candidates(db, actor.firmId, query);
      let ranked = rank(candidates, query);
      if (more && ranked.length < limit) {
        ({ candidates, more } = await index.candidates(db, actor.firmId, query, FAR_BOUND));
        ranked = rank(candidates, query);
      }
      const items = await views(
        actor,
        ranked.slice(0, limit).map(({ id }) => id),
      );
      return { items, total: ranked.length, more };
    },
  };
}
export type Search = ReturnType<typeof createSearch>;
