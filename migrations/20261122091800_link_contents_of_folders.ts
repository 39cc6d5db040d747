import type { Knex } from 'knex';

/**
 * Until now a client given to a folder was not given to what lay in the folder already, so that the client's lists did
 * not show it. A job links that now; here it is only ordered, since there may be a great many.
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

/** What going down takes from a vault. */
export const lost = null;

/** What was linked meanwhile stays linked. */
export async function down(knex: Knex): Promise<void> {
  await knex('jobs').where({ kind: 'contents of linked folders' }).delete();
}
