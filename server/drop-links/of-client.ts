import type { Knex } from 'knex';

/** Whether a client has a drop link that is not revoked. */
export const hasDropLink = async (db: Knex, client_id: number): Promise<boolean> =>
  (await db('drop_links').where({ client_id, revoked_at: null }).first('id')) !== undefined;
