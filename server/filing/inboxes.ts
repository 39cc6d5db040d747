import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';

interface InboxRow {
  folder_id: number;
  firm_id: number;
  by_itself: boolean;
  set_by: number;
  set_at: string;
}

export const inboxesOf = (db: Knex, { firmId }: Actor): Promise<InboxRow[]> =>
  db('filing_inboxes').where({ firm_id: firmId }).orderBy('folder_id');

export const inboxOf = (db: Knex, folderId: number): Promise<InboxRow | undefined> =>
  db('filing_inboxes').where({ folder_id: folderId }).first();

/** The inboxes of all firms with automatic filing. */
export const automaticInboxes = (db: Knex): Promise<InboxRow[]> =>
  db('filing_inboxes').where({ by_itself: true }).orderBy('folder_id');

export async function saveInbox(
  trx: Knex.Transaction,
  { folder_id, ...row }: InboxRow,
  inbox: boolean,
): Promise<void> {
  if (!inbox) await trx('filing_inboxes').where({ folder_id }).delete();
  else
    await trx('filing_inboxes')
      .insert({ folder_id, ...row })
      .onConflict('folder_id')
      .merge();
}
