import type { Knex } from 'knex';
import type { Actor } from '#server/auth/contract.ts';
import { invalid } from '#server/http/errors.ts';
import { NO_CLIENT } from './adding.ts';
import type { BulkResult } from './contract.ts';
import { NAMED, ownItems } from './removing.ts';
import { findItem } from './rows.ts';
import { EACH } from './tree.ts';
import type { Writing } from './writing.ts';

async function demandClient(trx: Knex, actor: Actor, client_id: number | null): Promise<void> {
  const own = { id: client_id, firm_id: actor.firmId };
  if (client_id !== null && !(await trx('clients').where(own).first('id')))
    throw invalid({ client_id: [NO_CLIENT] });
}

/**
 * Ties one item to a client, or with null to none. What a folder already holds keeps its own.
 * @throws {AppError} 404, 403, 422 on `client_id`.
 */
export async function setItemClient(
  { audit }: Writing,
  trx: Knex,
  actor: Actor,
  id: number,
  client_id: number | null,
): Promise<void> {
  const item = await findItem(trx, actor, id, 'documents.write');
  await demandClient(trx, actor, client_id);
  if (item.client_id === client_id) return;
  await trx('item_rows').where({ id }).update({ client_id });
  const detail = { from: item.client_id, to: client_id };
  await audit.record(trx, { actor, did: 'document.client', subject: `item:${id}`, detail });
}

/** As `setItemClient`, for many. What is not there is told of. @throws {AppError} 422 on `client_id`. */
export async function fileItems(
  { audit }: Writing,
  trx: Knex,
  actor: Actor,
  { ids, client_id }: { ids: readonly number[]; client_id: number | null },
): Promise<BulkResult> {
  await demandClient(trx, actor, client_id);
  const { items, failed } = await ownItems(trx, actor, ids);
  const done = [...items.keys()];
  const changed: { id: number }[] = await trx.raw(
    `UPDATE item_rows SET client_id = ? WHERE id IN (${EACH}) AND client_id IS NOT ? RETURNING id`,
    [client_id, JSON.stringify(done), client_id],
  );
  if (changed.length > 0) {
    const named = changed.slice(0, NAMED).map(({ id }) => id);
    const detail = { to: client_id, chosen: changed.length, ids: named };
    await audit.record(trx, { actor, did: 'document.client', detail });
  }
  return { done, failed };
}
