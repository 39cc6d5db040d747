import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { searchIndex } from '#server/search/index.ts';
import type { ItemView } from '../contract.ts';
import { CHANGED_MEANWHILE } from '../contract.ts';
import { markUnseen } from '../incoming/unseen.ts';
import { recordAdded, recordRecent } from '../lists/recents.ts';
import { Item, toView } from '../model.ts';
import type { NewItem } from './insert-item.ts';
import { freeName, insertItem, placementError, roomError } from './insert-item.ts';
import { findOvertaken } from '../versions/overtaken.ts';
import { uploadOver } from '../versions/replace.ts';
import { viewOf } from '../views.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { nameTakenError } from './rename.ts';
import { findFileByName } from './set-aside.ts';
import { findItem } from '../rows.ts';
import { isVisibleOne, only } from '#server/visibility/visible.ts';
import { AppError, notFound } from '#server/http/errors.ts';

/** Replaces the content of an existing file; the old content becomes an earlier version. */
async function newVersion(
  dependencies: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  old: Item,
  { now, ...content }: NonNullable<NewItem['file']> & { now: string },
): Promise<ItemView> {
  const unseen = await findOvertaken(trx, actor, old, now);
  const replaced_version = await uploadOver(dependencies, trx, actor, old, content);
  await recordRecent(trx, actor, [old.id], now);
  const overtaken = replaced_version === null ? null : unseen;
  return { ...(await viewOf(trx, actor, old.id)), replaced_version, overtaken };
}

/**
 * Replaces the content of a file, like an upload that replaces a file of the same name.
 * @throws {AppError} 404 also for a folder, 403, 412 for another content than the one expected, 422 `quota_exceeded`,
 * `sealed`.
 */
export async function overwriteFile(
  dependencies: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  id: number,
  content: Omit<NonNullable<NewItem['file']>, 'file_type'> & { now: string },
): Promise<ItemView> {
  const item = await findItem(trx, actor, id, 'documents.write');
  if (item.type !== 'file') throw notFound('file');
  const why = await roomError(trx, actor, { bytes: content.blob.size, limits: content.limits });
  if (why) throw why;
  const { expected } = content;
  const isOther = expected !== undefined && expected.sha256 !== item.sha256;
  if (isOther && expected.strict) throw new AppError(412, 'precondition_failed', CHANGED_MEANWHILE);
  const copied = isOther || (content.copied ?? false);
  return newVersion(dependencies, trx, actor, item, { ...content, copied, file_type: item.file_type! });
}

/**
 * The file that a content replaces, by its id; null if it is not in this folder any more, or has become of another type,
 * and for a program also if no program of that user made it.
 */
async function findReplaced(
  trx: Knex.Transaction,
  actor: Actor,
  { id, parent_id, file_type }: { id: number; parent_id: number | null; file_type: string },
): Promise<Item | null> {
  const found = Item.query(trx).findById(id).where({ firm_id: actor.firmId, type: 'file', file_type });
  const item = await only(found, isVisibleOne(actor));
  if (!item || item.parent_id !== parent_id) return null;
  return !actor.program || (await isMadeByProgramOf(trx, actor, id)) ? item : null;
}

/** Whether a program of this user made a document. */
export const isMadeByProgramOf = async (db: Knex, { userId }: Actor, id: number): Promise<boolean> =>
  (await db('program_documents').where({ item_id: id, user_id: userId }).first('item_id')) !== undefined;

/**
 * Adds an item, and updates totals, search index, history and recents. If the name is taken, `keepBoth` numbers it, and
 * `item.replace` adds a version to the existing file.
 * @throws {AppError} like `placementError`; 422 on `name` if it is taken.
 */
export async function addItem(
  dependencies: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  item: NewItem,
  { keepBoth = false } = {},
): Promise<ItemView> {
  const { file, parent_id, replace } = item;
  const room = file ? { bytes: file.blob.size, limits: file.limits } : undefined;
  if (file && typeof replace === 'number') {
    const old = await findReplaced(trx, actor, { id: replace, parent_id, file_type: file.file_type });
    const why = old && (await placementError(trx, actor, item, room));
    if (why) throw why;
    if (old) return newVersion(dependencies, trx, actor, old, { ...file, now: item.now });
  }
  let row = await insertItem(trx, actor, item);
  if (!row) {
    const why = await placementError(trx, actor, item, room);
    if (why) throw why;
    if (!keepBoth) throw await nameTakenError(trx, actor, parent_id, item.name);
    const old = file && replace === 'name' ? await findFileByName(trx, actor, item) : null;
    if (file && old) return newVersion(dependencies, trx, actor, old, { ...file, now: item.now });
    const name = await freeName(trx, actor.firmId, parent_id, item.name);
    row = await insertItem(trx, actor, { ...item, name });
    if (!row) throw new Error(`The name ${name} was free and then was not, within one transaction.`);
  }
  const { file_type = null, blob = null } = file ?? {};
  await searchIndex.add(trx, { id: row.id, firm_id: actor.firmId, name: row.name });
  await dependencies.audit.record(trx, {
    actor,
    did: file ? 'document.upload' : 'document.folder',
    subject: `item:${row.id}`,
    detail: { name: row.name, parent_id },
    concerns: {
      parents: [parent_id],
      // An item without a client, in a folder, may belong to the client of a folder further up.
      ...((row.client_id !== null || parent_id === null) && { clients: [row.client_id] }),
    },
  });
  if (actor.program && item.file)
    await trx('program_documents').insert({ item_id: row.id, user_id: actor.userId });
  if (actor.recipient && item.file) await markUnseen(trx, actor.firmId, row.id);
  await recordAdded(trx, actor, [row.id], item.now);
  const original_at = file?.original_at ?? null;
  const times = { created_at: item.now, modified_at: item.now, original_at };
  const type = file ? ('file' as const) : ('folder' as const);
  const size = { file_type, file_size: blob?.size ?? null, children_count: file ? null : 0 };
  return toView({ ...row, ...times, ...size, type, parent_id, owner_id: actor.userId });
}
