import type { Knex } from 'knex';

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
  const [made] = (await trx('storage_reservations').insert(reservation).returning('id')) as [{ id: number }];
  return made.id;
}

/** Gives the room back. What is released already is no error. */
export async function release(trx: Knex.Transaction, reservation: number): Promise<void> {
  await trx('storage_reservations').where({ id: reservation }).delete();
}

/** Gives back what an earlier process had promised to work that ended with it. */
export async function releaseAll(trx: Knex.Transaction): Promise<void> {
  await trx('storage_reservations').where({ lasting: false }).delete();
}
