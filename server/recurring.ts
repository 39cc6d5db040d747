import type { RecurringJob } from './jobs/kinds.ts';
import type { BackupWork } from './backups/work.ts';
import type { Auth } from './auth/service.ts';
import type { Clients } from './clients/service.ts';
import type { Collecting } from './collecting/service.ts';
import type { Expiry } from './documents/trash/delete-forever.ts';
import type { Thinning } from './documents/versions/thin.ts';
import type { DailyLimit } from './links/daily-limit.ts';
import type { FilingService } from './filing/service.ts';
import type { Jobs } from './jobs/service.ts';
import type { Payments } from './payments/service.ts';
import type { Reading } from './reading/service.ts';
import type { DeletionClock } from './records/deletion-clock.ts';
import type { Portal } from './portal/service.ts';
import type { Records } from './records/service.ts';
import type { Requests } from './requests/service.ts';
import type { Scanning } from './scanning/service.ts';
import type { Sharing } from './sharing/service.ts';
import type { Resumable } from './uploads/resumable.ts';
import type { System } from './system/service.ts';
import type { Sweeper } from './records/sweeper.ts';

interface RecurringDependencies {
  /** Null where the server makes no backups. */
  backups: BackupWork | null;
  auth: Pick<Auth, 'sweep'>;
  clients: Pick<Clients, 'anyDeleted' | 'forgetDeleted'>;
  collecting: Pick<Collecting, 'due' | 'work'>;
  daily: Pick<DailyLimit, 'sweep'>;
  deletionClock: Pick<DeletionClock, 'due' | 'keep'>;
  expiry: Expiry;
  filing: Pick<FilingService, 'due' | 'work'>;
  jobs: Pick<Jobs, 'sweep'>;
  payments: Pick<Payments, 'due' | 'poll'>;
  /** Null where this server does not read documents. */
  reading: Pick<Reading, 'due' | 'work' | 'scansDue' | 'scan'> | null;
  portal: Pick<Portal, 'sweep'>;
  records: Pick<Records, 'forgetNames'>;
  requests: Pick<Requests, 'sendReminders' | 'notifyOffice'>;
  resumable: Pick<Resumable, 'sweep' | 'sweepDue'>;
  scanning: Pick<Scanning, 'waiting' | 'work'>;
  sharing: Pick<Sharing, 'cutEnded' | 'sweep'>;
  sweeper: Sweeper;
  system: Pick<System, 'noteDisk' | 'sendAlarms'>;
  thinning: Thinning;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Each job also checks a minute or so after a start, so that a missed night is caught up. */
const backupJobs = (backups: BackupWork): Record<string, RecurringJob> => ({
  'nightly backup': {
    every: MINUTE,
    first: MINUTE,
    due: backups.backupDue,
    run: async (signal) => Number((await backups.backup(signal)).status !== 'failed'),
  },
  'proof of the backups': {
    every: 5 * MINUTE,
    first: 2 * MINUTE,
    due: backups.proofDue,
    run: async (signal) => Number((await backups.prove(signal)).status !== 'failed'),
  },
  'trial of a restore': {
    every: 30 * MINUTE,
    first: 3 * MINUTE,
    due: backups.trialDue,
    run: async () => Number((await backups.try()).status !== 'failed'),
  },
});

/** The recurring background jobs; times are in ms. */
export const recurringJobs = ({
  auth,
  backups,
  clients,
  collecting,
  daily,
  deletionClock,
  expiry,
  filing,
  jobs,
  payments,
  portal,
  reading,
  records,
  requests,
  resumable,
  scanning,
  sharing,
  sweeper,
  system,
  thinning,
}: RecurringDependencies): Record<string, RecurringJob> => ({
  ...(reading && {
    'text of documents': { every: 2 * SECOND, first: SECOND, due: reading.due, run: reading.work },
    'scanned pages': { every: 2 * SECOND, first: 2 * SECOND, due: reading.scansDue, run: reading.scan },
  }),
  ...(backups && backupJobs(backups)),
  'organising of what is in inboxes': {
    every: 20 * SECOND,
    first: 10 * SECOND,
    due: filing.due,
    run: filing.work,
  },
  'bytes of deleted files': {
    every: 15 * SECOND,
    first: SECOND,
    due: sweeper.waiting,
    run: sweeper.drain,
  },
  'time that has passed': {
    every: HOUR,
    first: 10 * MINUTE,
    due: deletionClock.due,
    run: deletionClock.keep,
  },
  'what is no longer to stay in Trash': {
    every: HOUR,
    first: MINUTE,
    due: expiry.anyExpired,
    run: expiry.expire,
  },
  'earlier versions no longer kept': {
    every: HOUR,
    first: 2 * MINUTE,
    due: thinning.anyDue,
    run: thinning.thin,
  },
  'files of deleted clients': {
    every: 15 * SECOND,
    first: SECOND,
    due: clients.anyDeleted,
    run: clients.forgetDeleted,
  },
  'names of what was deleted': { every: 24 * HOUR, run: records.forgetNames },
  'bytes without a file': {
    every: 24 * HOUR,
    run: async (signal) => (await sweeper.sweepOrphans({ signal })).length,
  },
  'payments to ask about': { every: 30 * SECOND, first: 0, due: payments.due, run: payments.poll },
  'what was sent by links': { every: 30 * SECOND, due: collecting.due, run: collecting.work },
  'reminders of requests': { every: 15 * MINUTE, first: MINUTE, run: requests.sendReminders },
  'e-mails of what clients have sent': { every: 5 * MINUTE, run: requests.notifyOffice },
  'uploads given up': { every: 10 * MINUTE, due: resumable.sweepDue, run: resumable.sweep },
  'sign-ins run out': { every: HOUR, run: auth.sweep },
  'files that wait for the virus scanner': {
    every: 15 * SECOND,
    first: 5 * SECOND,
    due: scanning.waiting,
    run: scanning.work,
  },
  'pages of clients opened and left': { every: HOUR, run: portal.sweep },
  'shared links opened and left': { every: HOUR, run: sharing.sweep },
  'downloads by links that have ended': { every: 15 * SECOND, run: sharing.cutEnded },
  'downloads counted on past days': { every: HOUR, run: daily.sweep },
  'room on the disk': { every: 6 * HOUR, run: system.noteDisk },
  'alarms of the installation': { every: 10 * MINUTE, run: system.sendAlarms },
  'old jobs and e-mails': { every: HOUR, run: jobs.sweep },
});
