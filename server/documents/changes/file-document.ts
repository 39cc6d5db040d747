import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { AppError, conflict, invalid } from '#server/http/errors.ts';
import { nameKey } from '#server/text/file-names.ts';
import { findUnderLegalHold } from '../legal-holds/guard.ts';
import { Item } from '../model.ts';
import { findItem } from '../rows.ts';
import { freeName } from './insert-item.ts';
import { moveItems } from './move.ts';
import { renameItem, validName } from './rename.ts';
import type { LinkingDependencies } from './set-client.ts';
import { setClientOfItems } from './set-client.ts';

/** Folder, name and client of a file. */
export interface FileLocation {
  parent_id: number | null;
  name: string;
  client_id: number | null;
}

export interface FiledItem {
  id: number;
  from: FileLocation;
  to: FileLocation;
}

const HELD = 'Documents of this client are under a legal hold: they stay where they are until it is lifted.';
const CHANGED = 'It was moved, renamed or linked to another client in the meantime, and stays as it is.';

const locationOf = async (trx: Knex.Transaction, id: number): Promise<FileLocation> =>
  (await Item.query(trx).findById(id).select('parent_id', 'name', 'client_id')) as FileLocation;

const matches = (a: FileLocation, b: Partial<FileLocation>): boolean =>
  (b.parent_id === undefined || a.parent_id === b.parent_id) &&
  (b.name === undefined || a.name === b.name) &&
  (b.client_id === undefined || a.client_id === b.client_id);

/**
 * Moves a file, renames it and links it to a client, all or nothing. A taken name gets a number.
 * @param seen the state that the user saw; if it has changed since, nothing is done.
 * @throws {AppError} 404, 403; 409 `item_changed`; 422 `sealed`, `held`, and on `parent_id`, `name`, `client_id`.
 */
export async function fileItem(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { id, to, seen }: { id: number; to: FileLocation; seen: Partial<FileLocation> },
): Promise<FiledItem> {
  await findItem(trx, actor, id, 'documents.write');
  const from = await locationOf(trx, id);
  if (!matches(from, seen)) throw conflict(CHANGED, 'item_changed');
  if ((await findUnderLegalHold(trx, actor.firmId, [id])).size > 0) throw new AppError(422, 'held', HELD);
  if (from.parent_id !== to.parent_id) {
    const [failed] = (
      await moveItems(dependencies, trx, actor, { ids: [id], parent_id: to.parent_id, conflicts: 'keep' })
    ).failed;
    if (failed) throw invalid({ parent_id: [failed.message] }, failed.code);
  }
  const current = await locationOf(trx, id);
  const wanted = validName(to.name);
  if (current.name !== wanted) {
    const other = await Item.query(trx)
      .where({ firm_id: actor.firmId, name_key: nameKey(wanted) })
      .whereNot({ id })
      .whereRaw('coalesce(parent_id, 0) = ?', [current.parent_id ?? 0])
      .select('id')
      .first();
    const name = other ? await freeName(trx, actor.firmId, current.parent_id, wanted) : wanted;
    await renameItem(dependencies, trx, actor, id, { name });
  }
  if ((await locationOf(trx, id)).client_id !== to.client_id) {
    const linkRequest = { ids: [id], client_id: to.client_id, contents: 'unlinked' as const };
    const [failed] = (await setClientOfItems(dependencies, trx, actor, linkRequest)).failed;
    if (failed) throw invalid({ client_id: [failed.message] }, failed.code);
  }
  return { id, from, to: await locationOf(trx, id) };
}
