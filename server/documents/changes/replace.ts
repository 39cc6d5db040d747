import { lazily } from '#server/text/lazily.ts';
import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { freeName } from './add.ts';
import { Item } from '../model.ts';
import { nameKey, withNote } from '../../text/names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { isVisible, only } from '#server/visibility/visible.ts';
import type { Writing } from './parts.ts';
import { sealedError, sealsOver } from '../seals/guard.ts';
import { searchIndex } from '#server/search/index.ts';

const INDIA = lazily(
  () =>
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Asia/Kolkata',
      dateStyle: 'short',
      timeStyle: 'short',
    }),
);

/** `replaced 2026-11-20 15.30`, in the office's time; a colon could not stand in a file's name. */
const replacedAt = (now: Date): string => `replaced ${INDIA().format(now).replace(':', '.')}`;

/**
 * Makes way for a new file of this name: the old one stays beside it, with its bytes, under a name that says when it
 * was replaced.
 * @returns whether there was such a file that the actor sees; a folder of this name stays as it is.
 * @throws {AppError} 422 `sealed`.
 */
export async function setAsideReplaced(
  { audit, clock }: Writing,
  trx: Knex.Transaction,
  actor: Actor,
  { parent_id, name }: { parent_id: number | null; name: string },
): Promise<boolean> {
  const inFolder = (key: string) =>
    Item.query(trx)
      .where({ firm_id: actor.firmId, name_key: key })
      .whereRaw('coalesce(parent_id, 0) = ?', [parent_id ?? 0])
      .first();
  const old = await only(inFolder(nameKey(name)), isVisible(actor));
  if (old?.type !== 'file') return false;
  const seal = old.sealed === null ? undefined : (await sealsOver(trx, actor, [old.id])).get(old.id);
  if (seal) throw sealedError(seal, 'file');
  const dated = withNote(old.name, replacedAt(clock()));
  const kept = (await inFolder(nameKey(dated))) ? await freeName(trx, actor.firmId, parent_id, dated) : dated;
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
