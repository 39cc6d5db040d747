import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { queryRow } from '#server/db/sql.ts';
import { conflict, forbidden, notFound } from '#server/http/errors.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import type { HoldReason, HoldView } from './contract.ts';

type HoldDependencies = Pick<ChangeDependencies, 'db' | 'clock' | 'audit'>;

/** Legal holds: deleted documents of a client stay in Trash, regardless of `TRASH_DAYS`, until the hold is lifted. */
export function createLegalHolds({ db, clock, audit }: HoldDependencies) {
  async function findClient(trx: Knex.Transaction, actor: Actor, id: number): Promise<{ name: string }> {
    const visibleClient = only(trx('clients').where({ id, firm_id: actor.firmId }), isVisibleClient(actor));
    const client: { name: string } | undefined = await visibleClient.first('name');
    if (!client) throw notFound('client');
    if (!may(actor, 'retention.manage')) throw forbidden();
    return client;
  }

  /** The legal hold on a client of the firm; null without one. */
  async function standing(
    db: Knex,
    { firmId }: Pick<Actor, 'firmId'>,
    clientId: number,
  ): Promise<HoldView | null> {
    const row = await queryRow<HoldView>(
      db,
      `SELECT l.id, l.client_id, l.reason, who.name AS by, l.placed_at AS at
       FROM legal_holds l JOIN users who ON who.id = l.placed_by
       WHERE l.client_id = ? AND l.firm_id = ? AND l.lifted_at IS NULL`,
      [clientId, firmId],
    );
    return row ?? null;
  }

  return {
    standing,

    /** @throws {AppError} 404, 403, 409 `held` when the client is already under a hold. */
    place: (actor: Actor, clientId: number, { reason }: HoldReason): Promise<HoldView> =>
      db.transaction(async (trx) => {
        const { name } = await findClient(trx, actor, clientId);
        const existing = await standing(trx, actor, clientId);
        if (existing)
          throw conflict(
            `There is a legal hold already, placed by ${existing.by}: ${existing.reason}`,
            'held',
          );
        await trx('legal_holds').insert({
          firm_id: actor.firmId,
          client_id: clientId,
          reason,
          placed_by: actor.userId,
          placed_at: clock().toISOString(),
        });
        await audit.record(trx, {
          actor,
          did: 'client.hold',
          subject: `client:${clientId}`,
          detail: { name, reason },
        });
        return (await standing(trx, actor, clientId))!;
      }),

    /** Afterwards the cleanup deletes what has been in Trash beyond its date. @throws {AppError} 404, 403, 409 `not_held`. */
    lift: (actor: Actor, clientId: number, { reason }: HoldReason): Promise<void> =>
      db.transaction(async (trx) => {
        const { name } = await findClient(trx, actor, clientId);
        const hold = await standing(trx, actor, clientId);
        if (!hold) throw conflict('There is no legal hold on this client any more.', 'not_held');
        await trx('legal_holds')
          .where({ id: hold.id })
          .update({ lifted_by: actor.userId, lifted_at: clock().toISOString(), lift_reason: reason });
        await audit.record(trx, {
          actor,
          did: 'client.lift_hold',
          subject: `client:${clientId}`,
          detail: { name, reason, placed_by: hold.by, placed_at: hold.at, placed_for: hold.reason },
        });
      }),
  };
}
export type Holds = ReturnType<typeof createLegalHolds>;
