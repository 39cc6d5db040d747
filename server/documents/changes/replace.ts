import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { minuteInIndia } from '#server/text/day-in-india.ts';
import { freeName } from './add.ts';
import { Item } from '../model.ts';
import { nameKey, withNote } from '../../text/names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { isVisible, only } from '#server/visibility/visible.ts';
import type { Writing } from './parts.ts';
import { demandUnsealed } from '../seals/guard.ts';
import { searchIndex } from '#server/search/index.ts';

/** `replaced 2026-11-20 15.30`, in the office's time; a colon could not stand in a file's name. */
const replacedAt = (now: Date): string => `replaced ${minuteInIndia(now)}`;

const inFolder = (
  trx: Knex.Transaction,
  { firmId }: Actor,
  { parent_id, name }: { parent_id: number | null; name: string },
) =>
  Item.query(trx)
    .where({ firm_id: firmId, name_key: nameKey(name) })
    .whereRaw('coalesce(parent_id, 0) = ?', [parent_id ?? 0])
    .first();

/** The file of this name in a folder, if the actor sees one; a folder of this name is none. */
export async function fileNamed(
  trx: Knex.Transaction,
  actor: Actor,
  place: { parent_id: number | null; name: string },
): Promise<Item | null> {
  const found = await only(inFolder(trx, actor, place), isVisible(actor));
  return found?.type === 'file' ? found : null;
}

/**
 * Makes way for an item that comes here with a history of its own, by a move or from Trash: the file that has its name
 * stays beside it under a name that says when it was replaced.
 * @returns whether there was such a file that the actor sees; a folder of this name stays as it is.
 * @throws {AppError} 422 `sealed`.
 */
export async function setAsideReplaced(
  { audit, clock }: Writing,
  trx: Knex.Transaction,
  actor: Actor,
  { parent_id, name }: { parent_id: number | null; name: string },
): Promise<boolean> {
  const old = await fileNamed(trx, actor, { parent_id, name });
  if (!old) return false;
  await demandUnsealed(trx, actor, old.id);
  const dated = withNote(old.name, replacedAt(clock()));
  const taken = await inFolder(trx, actor, { parent_id, name: dated });
  const kept = taken ? await freeName(trx, actor.firmId, parent_id, dated) : dated;
  await trx('item_rows')
    .where({ id: old.id })
    .update({ name: kept, name_key: nameKey(kept), sort_key: sortKey(kept) });
  await searchIndex.rename(trx, { id: old.id, firm_id: actor.firmId, name: kept });
  const detail = { name: old.name, kept_as: kept };
  await audit.record(trx, {
    actor,
    did: 'document.replace',
    subject: `item:${old.id}`,
    detail,
    concerns: { parents: [parent_id] },
  });
  return true;
}
