import type { Knex } from 'knex';
import { queryRow } from '#server/db/sql.ts';
import type { FirmViewer } from './visible.ts';
import { SMALL_SHARE, isSmallShare, seesAll } from './visible.ts';

/**
 * Whether the actor sees so few of the firm's items that fetching and sorting them is faster than scanning the firm's
 * index in order and skipping the others.
 */
export async function hasSmallShare(
  db: Knex,
  actor: FirmViewer,
  most: number = SMALL_SHARE,
): Promise<boolean> {
  if (seesAll(actor)) return false;
  const row = await queryRow<{ small: number }>(db, `SELECT ${isSmallShare(actor, most)} AS small`);
  return Boolean(row!.small);
}
