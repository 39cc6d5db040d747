import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import type { Seats } from './contract.ts';
import { seatsFullText } from './contract.ts';
import type { TeamDependencies } from './dependencies.ts';

const countOf = async (rows: Knex.QueryBuilder): Promise<number> =>
  Number((await rows.count({ n: '*' }).first())?.n ?? 0);

const openInvitations = (db: Knex, firmId: number, clock: Clock): Knex.QueryBuilder =>
  db('invitations').where({ firm_id: firmId }).where('expires_at', '>', clock().toISOString());

/** Counts the users of a firm against its plan. */
export function createSeats({ clock, usersAllowed }: Pick<TeamDependencies, 'clock' | 'usersAllowed'>) {
  async function count(db: Knex, firmId: number): Promise<Seats> {
    return {
      people: await countOf(db('users').where({ firm_id: firmId, deactivated_at: null })),
      invited: await countOf(openInvitations(db, firmId, clock)),
      allowed: await usersAllowed(db, firmId),
    };
  }

  return {
    count,

    /** Serialises transactions that change the number of users of a firm. */
    async lock(trx: Knex.Transaction, firmId: number): Promise<void> {
      await trx('firms').where({ id: firmId }).forUpdate().first('id');
    },

    /**
     * @param invited whether open invitations count; false for a person who accepts one.
     * @throws {AppError} 422 `user_limit` on `emails`, with the number that the plan allows.
     */
    async require(
      trx: Knex.Transaction,
      firmId: number,
      wanted: number,
      { invited = true } = {},
    ): Promise<void> {
      const total = await count(trx, firmId);
      const seats = invited ? total : { ...total, invited: 0 };
      if (seats.people + seats.invited + wanted <= seats.allowed) return;
      const message = seatsFullText(seats, wanted);
      throw new AppError(422, 'user_limit', message, { errors: { emails: [message] } });
    },
  };
}
export type SeatCount = ReturnType<typeof createSeats>;
