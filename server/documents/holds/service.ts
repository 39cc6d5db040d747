import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { queryRow } from '#server/db/sql.ts';
import { conflict, forbidden, notFound } from '#server/http/errors.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { ChangeParts } from '../changes/parts.ts';
import type { HoldReason, HoldView } from './contract.ts';

type Parts = Pick<ChangeParts, 'db' | 'clock' | 'audit'>;

/** Legal holds: what is about a client is kept, whoever deletes it and whatever the days of Trash, until the hold is lifted. */
export function createHolds({ db, clock, audit }: Parts) {
  async function find(trx: Knex.Transaction, actor: Actor, id: number): Promise<{ name: string }> {
    const own = only(trx('clients').where({ id, firm_id: actor.firmId }), isVisibleClient(actor));
    const client: { name: string } | undefined = await own.first('name');
    if (!client) throw notFound('client');
    if (!may(actor, 'retention.manage')) throw forbidden();
    return client;
  }

  /** The hold on a client of the firm's; null without one. */
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

    /** @throws {AppError} 404, 403, 409 `held` when there is one already. */
    place: (actor: Actor, clientId: number, { reason }: HoldReason): Promise<HoldView> =>
      db.transaction(async (trx) => {
        const { name } = await find(trx, actor, clientId);
        const there = await standing(trx, actor, clientId);
        if (there)
          throw conflict(`There is a legal hold already, placed by ${there.by}: ${there.reason}`, 'held');
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

    /** What waited in Trash beyond its days is deleted soon after. @throws {AppError} 404, 403, 409 `not_held`. */
    lift: (actor: Actor, clientId: number, { reason }: HoldReason): Promise<void> =>
      db.transaction(async (trx) => {
        const { name } = await find(trx, actor, clientId);
        const there = await standing(trx, actor, clientId);
        if (!there) throw conflict('There is no legal hold on this client any more.', 'not_held');
        await trx('legal_holds')
          .where({ id: there.id })
          .update({ lifted_by: actor.userId, lifted_at: clock().toISOString(), lift_reason: reason });
        await audit.record(trx, {
          actor,
          did: 'client.lift_hold',
          subject: `client:${clientId}`,
          detail: { name, reason, placed_by: there.by, placed_at: there.at, placed_for: there.reason },
        });
      }),
  };
}
export type Holds = ReturnType<typeof createHolds>;
