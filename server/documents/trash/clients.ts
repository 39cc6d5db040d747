import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { boundTupleRows, execute, bindList, numberOf } from '#server/db/sql.ts';
import { invalid } from '#server/http/errors.ts';
import { isVisible, only } from '#server/visibility/visible.ts';
import { NO_FOLDER } from '#server/text/not-there.ts';
import { heldClients } from '../legal-holds/guard.ts';
import { sealOfFolder, sealedError } from '../seals/guard.ts';

// Which client restored items belong to.

/** A chosen folder or 'My Drive': its client unless that was deleted, and the one that is inherited there. */
export interface Target {
  client_id: number | null;
  scope: number;
}

/** An item in Trash. */
export interface Trashed {
  id: number;
  client_id: number | null;
  scope: number;
  /** The former parent folder, which may not exist any more. */
  former_parent: number | null;
  /** The client of that folder, whether or not it exists. */
  former_client: number | null;
}

/** @throws {AppError} 422 on `parent_id`, also for a sealed folder. */
export async function requireFolder(trx: Knex.Transaction, actor: Actor, id: number | null): Promise<Target> {
  if (id === null) return { client_id: null, scope: 0 };
  const folderRow = { id, firm_id: actor.firmId, type: 'folder' };
  const folder = (await only(trx('items').where(folderRow), isVisible(actor)).first(
    'client_id',
    'scope_client_id AS scope',
  )) as Target | undefined;
  if (!folder) throw invalid({ parent_id: [NO_FOLDER] });
  const seal = await sealOfFolder(trx, actor, id);
  if (seal) throw sealedError(seal, 'parent_id');
  const there =
    folder.client_id !== null &&
    (await trx('clients').where({ id: folder.client_id, firm_id: actor.firmId }).first('id'));
  return { client_id: there ? folder.client_id : null, scope: folder.scope };
}

/** Like a move into a client's folder: items without a client of their own, or with that of their former folder, get it. */
export async function followersOf(
  trx: Knex.Transaction,
  rows: readonly Trashed[],
  { client_id }: Target,
): Promise<Set<number>> {
  if (client_id === null) return new Set();
  const deleted = new Set<number>(await trx('clients').where({ firm_id: 0 }).pluck('id'));
  const follows = (row: Trashed) =>
    row.client_id === null || row.client_id === row.former_client || deleted.has(row.client_id);
  return new Set(rows.filter(follows).map(({ id }) => id));
}

/** The rows under a legal hold that would get another client in the target, or none. */
export async function leavingHold(
  trx: Knex.Transaction,
  actor: Actor,
  rows: readonly Trashed[],
  target: Target,
): Promise<Set<number>> {
  const held = await heldClients(trx, actor.firmId);
  const under = rows.filter(({ scope }) => held.has(scope));
  if (under.length === 0) return new Set();
  const followers = await followersOf(trx, under, target);
  const scopeThere = ({ id, client_id }: Trashed) =>
    followers.has(id) ? target.client_id : (client_id ?? target.scope);
  return new Set(under.filter((row) => scopeThere(row) !== row.scope).map(({ id }) => id));
}

/**
 * If the folder that had the client does not exist any more, or is recreated, the item itself gets the client. Before it
 * is moved, so that at no time it belongs to nobody: a legal hold would not allow that.
 */
export async function keepClients(
  trx: Knex.Transaction,
  actor: Actor,
  rows: readonly (Trashed & { parent_id: number | null })[],
): Promise<void> {
  const moving = rows.filter((row) => row.parent_id !== row.former_parent && row.client_id === null);
  if (moving.length === 0) return;
  const [id, home] = [0, 1].map((index) => numberOf('one.value', index));
  await execute(
    trx,
    `UPDATE item_rows SET client_id = scope_client_id FROM ${boundTupleRows('one')}
     WHERE item_rows.id = ${id} AND item_rows.client_id IS NULL
       AND scope_client_id <> coalesce((SELECT p.scope_client_id FROM item_rows p WHERE p.id = ${home}), 0)
       AND EXISTS (SELECT 1 FROM clients c WHERE c.id = item_rows.scope_client_id AND c.firm_id = ?)`,
    [bindList(moving.map((row) => [row.id, row.parent_id ?? 0])), actor.firmId],
  );
}
