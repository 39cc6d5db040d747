import type { Knex } from 'knex';

/**
 * Until now, linking a folder to a client did not link the contents that the folder had already, so they were missing in
 * the client's lists. A job links them; the migration only creates it, since there may be very many.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex('item_rows').whereNotNull('client_id').whereNull('file_type').first('id'))) return;
  const now = new Date().toISOString();
  await knex('jobs').insert({
    kind: 'contents of linked folders',
    subject: 'vault',
    input: '{}',
    status: 'starting',
    progress: 0,
    message: 'Linking what lies in folders of clients',
    data: '{}',
    attempts: 0,
    due_at: now,
    created_at: now,
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

/** Items linked by the job stay linked. */
export async function down(knex: Knex): Promise<void> {
  await knex('jobs').where({ kind: 'contents of linked folders' }).delete();
}
