import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import type { Seats } from './contract.ts';
import { fullText } from './contract.ts';
import type { TeamParts } from './parts.ts';

const countOf = async (rows: Knex.QueryBuilder): Promise<number> =>
  Number((await rows.count({ n: '*' }).first())?.n ?? 0);

const openInvitations = (db: Knex, firmId: number, clock: Clock): Knex.QueryBuilder =>
  db('invitations').where({ firm_id: firmId }).where('expires_at', '>', clock().toISOString());

/** How many people the plan allows, and how many there are. */
export function createSeats({ clock, usersAllowed }: Pick<TeamParts, 'clock' | 'usersAllowed'>) {
  async function of(db: Knex, firmId: number): Promise<Seats> {
    return {
      people: await countOf(db('users').where({ firm_id: firmId, deactivated_at: null })),
      invited: await countOf(openInvitations(db, firmId, clock)),
      allowed: await usersAllowed(db, firmId),
    };
  }

  return {
    of,

    /** Makes transactions that change the number of people in a firm wait for each other. */
    async inTurn(trx: Knex.Transaction, firmId: number): Promise<void> {
      await trx('firms').where({ id: firmId }).forUpdate().first('id');
    },

    /**
     * @param invited whether open invitations count, as they do for everybody but one who has accepted already.
     * @throws {AppError} 422 `user_limit` on `emails`, saying what the plan allows.
     */
    async demand(
      trx: Knex.Transaction,
      firmId: number,
      wanted: number,
      { invited = true } = {},
    ): Promise<void> {
      const all = await of(trx, firmId);
      const seats = invited ? all : { ...all, invited: 0 };
      if (seats.people + seats.invited + wanted <= seats.allowed) return;
      const message = fullText(seats, wanted);
      throw new AppError(422, 'user_limit', message, { errors: { emails: [message] } });
    },
  };
}
export type SeatCount = ReturnType<typeof createSeats>;
