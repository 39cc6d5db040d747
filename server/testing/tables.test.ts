import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(import.meta.dirname, '../..');

/** The rooms that read and write a table; all others go through them. */
const OWNERS: Record<string, string[]> = {
  app_passwords: ['auth'],
  arrivals: ['collecting', 'records'],
  attempts: ['http'],
  audit_events: ['audit'],
  audit_head: ['audit'],
  audit_links: ['audit'],
  audit_removed: ['audit'],
  backup_runs: ['backups'],
  billing_details: ['invoices'],
  blob_parts: ['records'],
  cleared_of_rules: ['documents'],
  client_access: ['access'],
  client_totals: ['clients'],
  clients: ['clients'],
  counted_downloads: ['links'],
  discarded_blobs: ['records'],
  done_once: ['links'],
  document_fields: ['fields'],
  document_text_search: ['db'],
  document_texts: ['reading'],
  device_alarms: ['auth'],
  disk_days: ['system'],
  drop_links: ['drop-links'],
  email_changes: ['auth'],
  field_answers: ['fields'],
  filed_folders: ['filing'],
  filed_items: ['filing'],
  filing_inboxes: ['filing'],
  filing_runs: ['filing'],
  filing_settings: ['filing'],
  firm_logos: ['branding'],
  firms: ['auth'],
  folder_templates: ['templates'],
  gateway_events: ['payments'],
  half_sign_ins: ['auth'],
  hidden_items: ['documents', 'records'],
  installation_admins: ['system'],
  invitations: ['team'],
  invoices: ['invoices'],
  item_labels: ['documents'],
  item_rows: ['documents', 'records'],
  item_search: ['db'],
  items: ['documents', 'records'],
  jobs: ['jobs'],
  kept_choices: ['links'],
  known_devices: ['auth'],
  labels: ['documents'],
  notes: ['documents'],
  legal_holds: ['documents'],
  orders: ['payments'],
  passkeys: ['auth'],
  paired_programs: ['auth'],
  pairing_codes: ['auth'],
  password_resets: ['auth'],
  payments: ['payments'],
  pdf_passwords: ['reading'],
  plans: ['subscription'],
  processes: ['db', 'processes'],
  quarantined_blobs: ['scanning'],
  reading_settings: ['reading'],
  retention_rules: ['documents'],
  retention_marks: ['documents'],
  dav_locks: ['dav'],
  dav_properties: ['dav'],
  dav_scratch: ['dav'],
  deletion_clock: ['records'],
  destructions: ['documents'],
  destruction_files: ['documents'],
  present_contents: ['documents', 'records'],
  program_documents: ['documents'],
  recovery_sheets: ['backups'],
  recovery_codes: ['auth'],
  refunds: ['payments'],
  renditions: ['records'],
  unseen_items: ['documents'],
  portal_codes: ['portal'],
  portal_emails: ['portal'],
  portal_passes: ['portal'],
  portal_sessions: ['portal'],
  portals: ['portal'],
  request_receipts: ['requests'],
  request_rows: ['requests'],
  request_templates: ['requests'],
  requests: ['requests'],
  resumable_parts: ['uploads'],
  resumable_uploads: ['uploads'],
  scope_usage: ['records'],
  scanned_pages: ['reading'],
  seals: ['documents'],
  sessions: ['auth'],
  spent_challenges: ['auth'],
  share_grants: ['sharing'],
  share_link_items: ['sharing'],
  share_links: ['sharing'],
  share_recipients: ['sharing'],
  share_sessions: ['sharing'],
  share_settings: ['sharing'],
  storage_reservations: ['records'],
  firm_usage: ['records'],
  subscriptions: ['subscription'],
  told_alarms: ['system'],
  touches: ['documents'],
  trash: ['documents', 'records'],
  trash_usage: ['records'],
  trials: ['subscription'],
  two_step: ['auth'],
  user_client_groups: ['access'],
  user_clients: ['access'],
  users: ['auth'],
  version_usage: ['records'],
  versions: ['documents', 'records'],
};

/** Files that read a table of another room, and why a call of that room would not do. */
const EXCEPTIONS: { file: string; tables: string[]; why: string }[] = [
  {
    file: 'server/datadir/named-files.ts',
    tables: ['items', 'item_rows', 'hidden_items', 'versions', 'arrivals', 'blob_parts'],
    why: 'backups and their restores ask databases of any age which bytes they need, without the services of this program',
  },
  {
    file: 'server/backups/sheets.ts',
    tables: ['users'],
    why: 'who saved the recovery sheet is shown by name, whichever firm they are of',
  },
  {
    file: 'server/drop-links/',
    tables: ['clients', 'firms', 'users'],
    why: 'a link bears the names of its client, its firm and its maker, and ends with its client',
  },
  {
    file: 'server/collecting/',
    tables: ['firms', 'users', 'resumable_uploads'],
    why: 'what came by a link whose maker is gone is filed in the name of an admin; what is on its way by it has its room',
  },
  {
    file: 'server/db/item-search.ts',
    tables: ['hidden_items', 'item_rows'],
    why: 'one question of the index finds what lies in Trash, without a look at each of the rest',
  },
  {
    file: 'server/metrics/',
    tables: ['jobs', 'sessions', 'firm_usage'],
    why: 'figures over all firms, of which no room has a reason to tell',
  },
  {
    file: 'server/system/',
    tables: ['users'],
    why: 'an admin of the installation is a person of any firm, named by the address that the account has now',
  },
  {
    file: 'server/scanning/',
    tables: ['items', 'users', 'firms'],
    why: 'what is held back is known by its bytes, which no view names; its admins are told within the same transaction',
  },
  {
    file: 'server/documents/incoming/quarantined.ts',
    tables: ['quarantined_blobs'],
    why: 'every list marks what is held back, and the room that holds it back knows documents already',
  },
  {
    file: 'server/documents/incoming/sent-back.ts',
    tables: ['arrivals', 'request_rows'],
    why: 'as for what is held back: every list marks what was sent back and is still open, and the rooms that know it know documents already',
  },
  {
    file: 'server/reading/queue.ts',
    tables: ['quarantined_blobs'],
    why: 'what is held back is left out of the list by the query that finds the next one',
  },
  {
    file: 'server/reading/outdated.ts',
    tables: ['quarantined_blobs'],
    why: 'as in the queue of new files',
  },
  {
    file: 'server/visibility/',
    tables: [
      'items',
      'item_rows',
      'client_access',
      'user_clients',
      'user_client_groups',
      'audit_events',
      'audit_links',
      'pdf_passwords',
      'scope_usage',
      'users',
    ],
    why: 'the one rule of who sees what is a condition inside of everybody’s queries',
  },
  {
    file: 'server/access/',
    tables: ['users', 'clients', 'items'],
    why: 'who sees what is asked of people, clients and items at once',
  },
  {
    file: 'server/search/',
    tables: ['items', 'clients'],
    why: 'one question is asked of both, within a bound for both',
  },
  {
    file: 'server/db/',
    tables: ['items', 'document_texts'],
    why: 'the index is narrowed by the files that have the text, in one statement',
  },
  {
    file: 'server/reading/',
    tables: ['items'],
    why: 'whether a file with the content is there, and seen, is asked within the query for its text',
  },
  {
    file: 'server/filing/filed-by-people.ts',
    tables: ['arrivals'],
    why: 'of all statements of an account, those that clients have sent are left out by the query that finds them',
  },
  {
    file: 'server/fields/',
    tables: ['items', 'users', 'clients'],
    why: 'which files have a content, whether they are seen, and who said what of them is asked in one query',
  },
  {
    file: 'server/documents/',
    tables: ['clients', 'users'],
    why: 'each row of a list bears the names of its client and its owner',
  },
  {
    file: 'server/auth/sign-in-restrictions.ts',
    tables: ['plans', 'subscriptions', 'trials'],
    why: 'each request asks whether its user is within the plan, in the query that finds the session',
  },
  {
    file: 'server/audit/',
    tables: ['users', 'items', 'item_rows'],
    why: 'an entry is read with the names of those that it is about, also of what is hidden',
  },
  {
    file: 'server/team/',
    tables: ['users', 'firms', 'clients', 'client_access', 'user_clients', 'user_client_groups', 'item_rows'],
    why: 'the people of a firm are its users, with what they are assigned to, changed in one transaction',
  },
  {
    file: 'server/links/daily-limit.ts',
    tables: ['users', 'firms'],
    why: 'a download is counted in one transaction with the e-mails that tell the admins of it',
  },
  {
    file: 'server/sharing/views.ts',
    tables: ['users', 'clients'],
    why: 'each link of the list bears the names of its maker and its client',
  },
  {
    file: 'server/sharing/visitors.ts',
    tables: ['clients'],
    why: 'a visitor, who has no actor yet, is met in the language of the client',
  },
  {
    file: 'server/requests/',
    tables: ['clients', 'firms', 'users'],
    why: 'each request bears the names of its client, its maker and their firm, and goes with its client',
  },
  {
    file: 'server/portal/',
    tables: ['clients', 'firms', 'users'],
    why: 'each page bears the names of its client, its maker and their firm, and goes with its client',
  },
  {
    file: 'server/db/sqlite/copy.ts',
    tables: ['item_rows'],
    why: 'a database that is copied whole brings the names of its index along',
  },
  {
    file: 'server/db/postgres/copy.ts',
    tables: ['item_rows'],
    why: 'a database that is copied whole brings the names of its index along',
  },
  { file: 'server/jobs/overview.ts', tables: ['firms'], why: 'the operator reads whose a job is' },
  {
    file: 'server/datadir/health.ts',
    tables: ['firms'],
    why: 'any table tells whether the database can be read',
  },
];

const KNOWN = Object.keys(OWNERS).join('|');
const USES = [
  new RegExp(String.raw`\b(?:db|trx|knex|connection)(?:<[^>]*>)?\(\s*'(${KNOWN})\b`, 'g'),
  new RegExp(String.raw`\b(?:from|into|join|leftJoin|innerJoin|table)\('(${KNOWN})\b`, 'g'),
  new RegExp(String.raw`\b(?:FROM|JOIN|INTO|UPDATE) (${KNOWN})\b`, 'g'),
  new RegExp(String.raw`\btableName = '(${KNOWN})'`, 'g'),
];

test('only the owning room uses a table, apart from listed exceptions', async () => {
  const wrong = new Set<string>();
  const needed = new Set<string>();
  for await (const file of glob('server/*/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts') || /^server\/(?:tools|testing)\/|\/testing\//.test(file)) continue;
    const text = await readFile(join(root, file), 'utf8');
    const room = file.split('/')[1]!;
    for (const [, table = ''] of USES.flatMap((use) => Array.from(text.matchAll(use)))) {
      if (OWNERS[table]!.includes(room)) continue;
      const exception = EXCEPTIONS.find((one) => file.startsWith(one.file) && one.tables.includes(table));
      if (exception) needed.add(`${exception.file} ${table}`);
      else wrong.add(`${file} reads ${table}, which is of ${OWNERS[table]!.join(' and ')}`);
    }
  }
  assert.equal([...wrong], []);
  const idle = EXCEPTIONS.flatMap(({ file, tables }) => tables.map((table) => `${file} ${table}`));
  assert.equal(
    idle.filter((one) => !needed.has(one)),
    [],
    'an exception that nobody needs any more',
  );
});

test.run();
