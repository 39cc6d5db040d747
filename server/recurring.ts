import type { RecurringJob } from './jobs/kinds.ts';
import type { RunStatus } from './backups/contract.ts';
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
  collecting: Pick<Collecting, 'due' | 'work' | 'anyClosed' | 'cancelClosed'>;
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
  requests: Pick<Requests, 'sendReminders' | 'notifyOffice' | 'returnsDue' | 'tellReturns'>;
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

const isComplete = ({ status }: { status: RunStatus }): boolean => status === 'done' || status === 'faulty';

/**
 * Each job also checks a minute or so after a start, so that a missed night is caught up. They report, since a large first backup over a slow
 * line takes days.
 */
export const backupJobs = (backups: BackupWork): Record<string, RecurringJob> => ({
  'nightly-backup': {
    every: MINUTE,
    first: MINUTE,
    due: backups.backupDue,
    run: async (signal, report) => Number(isComplete(await backups.backup(signal, { report }))),
  },
  'verify-backups': {
    every: 5 * MINUTE,
    first: 2 * MINUTE,
    due: backups.proofDue,
    run: async (signal, report) => Number(isComplete(await backups.prove(signal, { report }))),
  },
  'trial-restore': {
    every: 30 * MINUTE,
    first: 3 * MINUTE,
    due: backups.trialDue,
    run: async (signal, report) => Number(isComplete(await backups.try(signal, { report }))),
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
    'read-documents': { every: 2 * SECOND, first: SECOND, due: reading.due, run: reading.work },
    'read-scanned-pages': { every: 2 * SECOND, first: 2 * SECOND, due: reading.scansDue, run: reading.scan },
  }),
  ...(backups && backupJobs(backups)),
  'organise-inboxes': {
    every: 20 * SECOND,
    first: 10 * SECOND,
    due: filing.due,
    run: filing.work,
  },
  'delete-file-contents': {
    every: 15 * SECOND,
    first: SECOND,
    due: sweeper.waiting,
    run: sweeper.drain,
  },
  'advance-deletion-clock': {
    every: HOUR,
    first: 10 * MINUTE,
    due: deletionClock.due,
    run: deletionClock.keep,
  },
  'delete-expired-trash': {
    every: HOUR,
    first: MINUTE,
    due: expiry.anyExpired,
    run: expiry.expire,
  },
  'delete-expired-versions': {
    every: HOUR,
    first: 2 * MINUTE,
    due: thinning.anyDue,
    run: thinning.thin,
  },
  'unlink-deleted-clients': {
    every: 15 * SECOND,
    first: SECOND,
    due: clients.anyDeleted,
    run: clients.forgetDeleted,
  },
  'forget-deleted-names': { every: 24 * HOUR, run: records.forgetNames },
  'delete-orphan-blobs': {
    every: 24 * HOUR,
    run: async (signal) => (await sweeper.sweepOrphans({ signal })).length,
  },
  'poll-payments': { every: 30 * SECOND, first: 0, due: payments.due, run: payments.poll },
  'file-arrivals': { every: 30 * SECOND, due: collecting.due, run: collecting.work },
  'send-request-reminders': { every: 15 * MINUTE, first: MINUTE, run: requests.sendReminders },
  'tell-clients-of-returns': {
    every: MINUTE,
    first: MINUTE,
    due: requests.returnsDue,
    run: requests.tellReturns,
  },
  'send-arrival-digests': { every: 5 * MINUTE, run: requests.notifyOffice },
  'delete-abandoned-uploads': { every: 10 * MINUTE, due: resumable.sweepDue, run: resumable.sweep },
  // Only what a stop of the server has left: they are cancelled when their link ends.
  'cancel-uploads-of-closed-links': {
    every: 10 * MINUTE,
    due: collecting.anyClosed,
    run: () => collecting.cancelClosed(),
  },
  'delete-expired-sessions': { every: HOUR, run: auth.sweep },
  'scan-waiting-files': {
    every: 15 * SECOND,
    first: 5 * SECOND,
    due: scanning.waiting,
    run: scanning.work,
  },
  'delete-portal-sessions': { every: HOUR, run: portal.sweep },
  'delete-link-sessions': { every: HOUR, run: sharing.sweep },
  'cut-ended-downloads': { every: 15 * SECOND, run: sharing.cutEnded },
  'delete-download-counts': { every: HOUR, run: daily.sweep },
  'record-disk-usage': { every: 6 * HOUR, run: system.noteDisk },
  'send-alarms': { every: 10 * MINUTE, run: system.sendAlarms },
  'delete-old-jobs': { every: HOUR, run: jobs.sweep },
});
