import type { Knex } from 'knex';

/** How a copy with covered Aadhaar numbers says that none could be made and nobody knows why. */
const UNKNOWN = -2;

/**
 * Pictures and views that could not be made are tried once more, when somebody next wants to see them. The limit was the clock, so on a
 * busy machine sound files exceeded it, and their records cannot be told from those of damaged ones.
 */
export const up = async (knex: Knex): Promise<void> =>
  void (await knex('renditions')
    .whereNull('blob_id')
    .where((any) => any.whereNot('kind', 'like', 'masked %').orWhere({ pages: UNKNOWN }))
    .delete());

export const lost = null;

/** Nothing to restore: what cannot be made is recorded again. */
export const down = (): Promise<void> => Promise.resolve();
