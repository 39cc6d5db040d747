import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import type { Seats } from './contract.ts';
import { fullText } from './contract.ts';
import type { TeamParts } from './parts.ts';

const countOf = async (rows: Knex.QueryBuilder): Promise<number> =>
  Number((await rows.count({ n: '*' }).first())?.n ?? 0);

export const openInvitations = (trx: Knex, firmId: number, clock: Clock): Knex.QueryBuilder =>
  trx('invitations').where({ firm_id: firmId }).where('expires_at', '>', clock().toISOString());

/** How many people the plan allows, and how many there are. */
export function createSeats({ db, clock, usersAllowed }: Pick<TeamParts, 'db' | 'clock' | 'usersAllowed'>) {
  async function of(firmId: number, trx: Knex = db): Promise<Seats> {
    return {
      people: await countOf(trx('users').where({ firm_id: firmId, deactivated_at: null })),
      invited: await countOf(openInvitations(trx, firmId, clock)),
      allowed: await usersAllowed(firmId, trx),
    };
  }

  return {
    of,

    /** What changes the number of people in a firm is done by one at a time. */
    async inTurn(trx: Knex, firmId: number): Promise<void> {
      await trx('firms').where({ id: firmId }).forUpdate().first('id');
    },

    /**
     * @param invited whether open invitations count, as they do for everybody but one who has accepted already.
     * @throws {AppError} 422 `user_limit` on `emails`, saying what the plan allows.
     */
    async demand(trx: Knex, firmId: number, wanted: number, { invited = true } = {}): Promise<void> {
      const all = await of(firmId, trx);
      const seats = invited ? all : { ...all, invited: 0 };
      if (seats.people + seats.invited + wanted <= seats.allowed) return;
      const message = fullText(seats, wanted);
      throw new AppError(422, 'user_limit', message, { errors: { emails: [message] } });
    },
  };
}
export type SeatCount = ReturnType<typeof createSeats>;
