import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { breadcrumbs, SEPARATOR } from '../tree.ts';
import { requirePermission, findItem } from '../rows.ts';
import { viewOf } from '../views.ts';
import type { ItemDetails, ItemRecords, Sums } from './contract.ts';
import { recordsOfAll } from './records.ts';
import { sumsOf, sumsOfAll } from './sums.ts';

/** Data for the details panel: of one item, or totals of several. */
export function createDetails({ db }: { db: Knex }) {
  return {
    /** @throws {AppError} 404, 403. */
    async of(actor: Actor, id: number): Promise<ItemDetails> {
      const { sha256, seen_parent_id } = await findItem(db, actor, id, 'documents.read');
      const above = seen_parent_id === null ? [] : await breadcrumbs(db, actor, seen_parent_id);
      const item = await viewOf(db, actor, id);
      return { item: { ...item, path: above.map(({ name }) => name).join(SEPARATOR) }, above, sha256 };
    },

    /** Totals of these items with their descendants; without ids, of everything that the actor sees. @throws {AppError} 403. */
    async sums(actor: Actor, ids: readonly number[]): Promise<Sums> {
      requirePermission(actor, 'documents.read');
      return ids.length === 0 ? sumsOfAll(db, actor) : sumsOf(db, actor, ids);
    },

    /** Notes, labels, seals and earlier versions of all items that the actor sees. @throws {AppError} 403. */
    async recordsOfAll(actor: Actor): Promise<ItemRecords> {
      requirePermission(actor, 'documents.read');
      return recordsOfAll(db, actor);
    },
  };
}
export type Details = ReturnType<typeof createDetails>;
