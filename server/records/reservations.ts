import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { ofDeadProcess, OWN_PROCESS } from '#server/db/processes.ts';

/** Storage reserved for work in progress, so that concurrent uploads cannot use it. */
interface Reservation {
  firm_id: number;
  bytes: number;
  /** Whether it remains when its process ends. */
  lasting: boolean;
  made_at: string;
}

/** `randomInt` allows no more. */
const MAX_ID = 2 ** 48 - 1;

/**
 * The caller checks the free storage in the same transaction. The id is random and not the database's next one: so a caller that
 * learns it before the commit may release it whatever became of the commit, and never releases another one.
 * @returns the reservation's id, for `release`.
 */
export async function addReservation(trx: Knex.Transaction, reservation: Reservation): Promise<number> {
  const id = randomInt(1, MAX_ID);
  await trx('storage_reservations').insert({ id, ...reservation, process: OWN_PROCESS });
  return id;
}

/** Releases a reservation; does nothing if it is already released. */
export async function release(trx: Knex.Transaction, reservation: number): Promise<void> {
  await trx('storage_reservations').where({ id: reservation }).delete();
}

/** Releases the reservations of dead processes, except lasting ones. */
export async function releaseOfGone(trx: Knex.Transaction): Promise<void> {
  await trx('storage_reservations').where({ lasting: false }).where(ofDeadProcess(trx)).delete();
}
