import type { Knex } from 'knex';
import { queryRow } from '#server/db/sql.ts';
import type { FirmSeer } from './visible.ts';
import { SMALL_SHARE, isSmallShare, seesAll } from './visible.ts';

/**
 * Whether somebody sees only some clients and so few of the firm's items that these are gathered sooner than looked for
 * among all others in their order.
 */
export async function hasSmallShare(db: Knex, actor: FirmSeer, most: number = SMALL_SHARE): Promise<boolean> {
  if (seesAll(actor)) return false;
  const row = await queryRow<{ small: number }>(db, `SELECT ${isSmallShare(actor, most)} AS small`);
  return Boolean(row!.small);
}
