import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { removeItems } from './remove.ts';

/** What somebody has added to a folder, for which it stays. */
const ADDED = ['notes', 'item_labels'] as const;

/**
 * Deletes those of these folders that are empty and to which nobody has added anything, past Trash, which they would only
 * fill. Folders that are not the actor's to delete stay.
 * @param ids inner folders first, so that the outer ones are empty by then.
 */
export async function removeEmptyFolders(
  dependencies: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
): Promise<void> {
  if (!may(actor, 'documents.delete')) return;
  for (const id of ids) {
    const [folder, inside, ...added] = await Promise.all([
      trx('items').where({ id, firm_id: actor.firmId, type: 'folder' }).first('id'),
      trx('items').where({ parent_id: id, firm_id: actor.firmId }).first('id'),
      ...ADDED.map((table) => trx(table).where({ item_id: id }).first('item_id')),
    ]);
    if (!folder || inside || added.some(Boolean)) continue;
    await removeItems(dependencies, trx, actor, { ids: [id] }, { forGood: true });
  }
}
