import type { Knex } from 'knex';

/** The ids of recurring jobs, which were texts until now. */
const IDS: Record<string, string> = {
  'nightly backup': 'nightly-backup',
  'proof of the backups': 'verify-backups',
  'trial of a restore': 'trial-restore',
  'text of documents': 'read-documents',
  'scanned pages': 'read-scanned-pages',
  'organising of what is in inboxes': 'organise-inboxes',
  'bytes of deleted files': 'delete-file-contents',
  'time that has passed': 'advance-deletion-clock',
  'what is no longer to stay in Trash': 'delete-expired-trash',
  'earlier versions no longer kept': 'delete-expired-versions',
  'files of deleted clients': 'unlink-deleted-clients',
  'names of what was deleted': 'forget-deleted-names',
  'bytes without a file': 'delete-orphan-blobs',
  'payments to ask about': 'poll-payments',
  'what was sent by links': 'file-arrivals',
  'reminders of requests': 'send-request-reminders',
  'e-mails of what clients have sent': 'send-arrival-digests',
  'uploads given up': 'delete-abandoned-uploads',
  'sign-ins run out': 'delete-expired-sessions',
  'files that wait for the virus scanner': 'scan-waiting-files',
  'pages of clients opened and left': 'delete-portal-sessions',
  'shared links opened and left': 'delete-link-sessions',
  'downloads by links that have ended': 'cut-ended-downloads',
  'downloads counted on past days': 'delete-download-counts',
  'room on the disk': 'record-disk-usage',
  'alarms of the installation': 'send-alarms',
  'old jobs and e-mails': 'delete-old-jobs',
};

const rename = async (knex: Knex, pairs: readonly (readonly [string, string])[]): Promise<void> => {
  for (const [from, to] of pairs)
    await knex('jobs').where({ kind: from }).whereNotNull('every').update({ kind: to });
};

export const up = (knex: Knex): Promise<void> => rename(knex, Object.entries(IDS));

export const lost = null;

export const down = (knex: Knex): Promise<void> =>
  rename(
    knex,
    Object.entries(IDS).map(([text, id]) => [id, text] as const),
  );
