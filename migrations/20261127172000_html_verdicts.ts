import type { Knex } from 'knex';

/**
 * Texts that links may give since no Aadhaar number was found in them are checked again: numbers whose
 * digits are separated by blanks that HTML writes by name, or by indented tags, were not found.
 */
export const up = async (knex: Knex): Promise<void> =>
  void (await knex('renditions')
    .whereLike('kind', 'masked %')
    .where({ pages: 0 })
    .whereNull('blob_id')
    .delete());

export const lost = null;

/** Nothing to restore: the verdicts are made again when they are needed. */
export const down = (): Promise<void> => Promise.resolve();
