import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { minuteInIndia } from '#server/text/day-in-india.ts';
import { freeName } from './insert-item.ts';
import type { FormerPlace } from '../contract.ts';
import { Item } from '../model.ts';
import { nameKey, withNote } from '../../text/file-names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { isVisible, only } from '#server/visibility/visible.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { requireUnsealed } from '../seals/guard.ts';
import { searchIndex } from '#server/search/index.ts';

/** `replaced 2026-11-20 15.30`, in Indian time; a file name cannot contain a colon. */
const replacedNote = (now: Date): string => `replaced ${minuteInIndia(now)}`;

interface Location {
  parent_id: number | null;
  name: string;
}

const findByName = (trx: Knex.Transaction, { firmId }: Actor, { parent_id, name }: Location) =>
  Item.query(trx)
    .where({ firm_id: firmId, name_key: nameKey(name) })
    .whereRaw('coalesce(parent_id, 0) = ?', [parent_id ?? 0])
    .first();

async function findOfType(
  trx: Knex.Transaction,
  actor: Actor,
  location: Location,
  type: Item['type'],
): Promise<Item | null> {
  const found = await only(findByName(trx, actor, location), isVisible(actor));
  return found?.type === type ? found : null;
}

/** The file of this name in a folder; null if the actor does not see one, and for a folder. */
export const findFileByName = (
  trx: Knex.Transaction,
  actor: Actor,
  location: Location,
): Promise<Item | null> => findOfType(trx, actor, location, 'file');

/** The folder of this name in a folder; null if the actor does not see one, and for a file. */
export const findFolderByName = (
  trx: Knex.Transaction,
  actor: Actor,
  location: Location,
): Promise<Item | null> => findOfType(trx, actor, location, 'folder');

/**
 * Makes room for a moved or restored item: renames the file that has its name, adding the date of the replacement.
 * @returns the file and its names; null if the actor sees no file of this name. A folder stays as it is.
 * @throws {AppError} 422 `sealed`.
 */
export async function setAsideReplaced(
  { audit, clock }: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { parent_id, name }: { parent_id: number | null; name: string },
): Promise<FormerPlace | null> {
  const old = await findFileByName(trx, actor, { parent_id, name });
  if (!old) return null;
  await requireUnsealed(trx, actor, old.id);
  const dated = withNote(old.name, replacedNote(clock()));
  const namesake = await findByName(trx, actor, { parent_id, name: dated });
  const newName = namesake ? await freeName(trx, actor.firmId, parent_id, dated) : dated;
  await trx('item_rows')
    .where({ id: old.id })
    .update({ name: newName, name_key: nameKey(newName), sort_key: sortKey(newName) });
  await searchIndex.rename(trx, { id: old.id, firm_id: actor.firmId, name: newName });
  const detail = { name: old.name, kept_as: newName };
  await audit.record(trx, {
    actor,
    did: 'document.replace',
    subject: `item:${old.id}`,
    detail,
    concerns: { parents: [parent_id] },
  });
  return { id: old.id, parent_id, to: parent_id, renamed: { from: old.name, to: newName } };
}
