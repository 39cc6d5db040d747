import type { Knex } from 'knex';
import { ofDeadProcess, OWN_PROCESS } from '#server/db/processes.ts';

/** Room promised to work that is under way, so that uploads beside it cannot take it. */
export interface Reservation {
  firm_id: number;
  bytes: number;
  /** Whether it outlives the process. */
  lasting: boolean;
  made_at: string;
}

/** @returns the reservation's id, to be released. Whether there is room has been asked in the same transaction. */
export async function addReservation(trx: Knex.Transaction, reservation: Reservation): Promise<number> {
  const row = { ...reservation, process: OWN_PROCESS };
  const [made] = (await trx('storage_reservations').insert(row).returning('id')) as [{ id: number }];
  return made.id;
}

/** Gives the room back. What is released already is no error. */
export async function release(trx: Knex.Transaction, reservation: number): Promise<void> {
  await trx('storage_reservations').where({ id: reservation }).delete();
}

/** Gives back what processes that are gone had promised to work which ended with them. */
export async function releaseOfGone(trx: Knex.Transaction): Promise<void> {
  await trx('storage_reservations').where({ lasting: false }).where(ofDeadProcess(trx)).delete();
}
