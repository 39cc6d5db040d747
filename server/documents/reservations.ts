import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { quotaExceeded } from './changes/add.ts';
import { demand } from './rows.ts';
import { reserved, used } from '../records/usage.ts';
import type { Writing } from './changes/parts.ts';

/** Room promised to work that is under way, so that uploads beside it cannot take it. */
export function createReservations({ db, clock, limits }: Pick<Writing, 'db' | 'clock' | 'limits'>) {
  return {
    /**
     * Promises the firm's room to work that is to bring so many bytes. A `lasting` promise outlives the process.
     * @returns the reservation's id, to be released or settled.
     * @throws {AppError} 403; 422 `quota_exceeded`.
     */
    reserve(
      actor: Actor,
      bytes: number,
      { lasting = false, within }: { lasting?: boolean; within?: Knex } = {},
    ): Promise<number> {
      demand(actor, 'documents.write');
      const promise = async (trx: Knex) => {
        const room = { bytes, limits: await limits(actor.firmId, trx) };
        const taken = (await used(trx, actor.firmId)) + (await reserved(trx, actor.firmId));
        if (taken + bytes > room.limits.bytes) throw quotaExceeded(actor, taken, room);
        const row = { firm_id: actor.firmId, bytes, lasting, made_at: clock().toISOString() };
        const [made] = (await trx('storage_reservations').insert(row).returning('id')) as [{ id: number }];
        return made.id;
      };
      return within ? promise(within) : db.transaction(promise);
    },

    /** Gives the room back. What is released already is no error. */
    async release(reservation: number, within: Knex = db): Promise<void> {
      await within('storage_reservations').where({ id: reservation }).delete();
    },

    /** Gives back what an earlier process had promised to work that ended with it; to be called before any work begins. */
    async releaseAll(): Promise<void> {
      await db('storage_reservations').where({ lasting: false }).delete();
    },
  };
}
