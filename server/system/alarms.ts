import type { Knex } from 'knex';
import type { Clock } from '#server/clock.ts';
import type { Sending } from '#server/mail/contract.ts';
import type { Mail } from '#server/mail/service.ts';
import { dayInWords } from '#server/text/day-in-india.ts';
import { sentence } from '#server/text/sentence.ts';
import type { InstallationAdmin } from './admins.ts';
import type { Alarm, CertificateView, DiskView } from './contract.ts';
import { LOW_DISK_SHARE } from './contract.ts';
import type { Undelivered } from '#server/mail/contract.ts';
import { keptInWords } from '#server/updates/contract.ts';
import type { Overview } from '#server/jobs/service.ts';

const DAY = 24 * 60 * 60_000;
/** Once a day; an hour less, because the job may run a little early. */
const REPEAT_AFTER_MS = DAY - 60 * 60_000;
/** Consecutive failures of a recurring job or an e-mail that raise an alarm. */
const FAILURES = 3;
const CERTIFICATE_DAYS = { acme: 20, local: 10, files: 21 };
/** Codes of jobs that failed by a fault of the server; other codes concern the user. */
const FAULTS = new Set(['internal', 'stuck']);

export interface Facts {
  disk: DiskView | null;
  /** Why the bucket of the files cannot be used; null when it can. */
  storage?: string | null;
  jobs: Overview;
  undelivered: readonly Undelivered[];
  /** Whether e-mails are really sent. */
  sends: boolean;
  certificate: CertificateView | null;
  /** Why the clock must be wrong; null when there is no sign of it. */
  clock?: string | null;
  /** Paths of databases that reverted updates have left. */
  otherDatabases?: readonly string[];
  now: Date;
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`;

/** The alarms that these facts raise. */
export function alarmsOf(facts: Facts): Alarm[] {
  const { disk, storage, jobs, undelivered, sends, certificate, clock, otherDatabases = [], now } = facts;
  const alarms: Alarm[] = [];
  if (clock) {
    alarms.push({
      cause: 'clock',
      title: 'The clock of the server is wrong',
      about:
        `${clock} History, due dates and the hour of the backup go by it, and codes from a phone fail. ` +
        'Set it right: "npm run admin -- doctor" says how.',
    });
  }
  if (disk && disk.free < disk.size * LOW_DISK_SHARE) {
    alarms.push({
      cause: 'disk',
      title: `Only ${percent(disk.free / disk.size)} of the disk is free`,
      about:
        'When the disk is full, no files are taken in any more. Empty Trash, delete what is no longer needed on this ' +
        'machine, or move the data folder to a larger disk.',
    });
  }
  if (storage) {
    alarms.push({
      cause: 'storage',
      title: 'The storage of the files does not answer',
      about: `Files can be neither opened nor uploaded until it does. It says: ${storage}`,
    });
  }
  if (otherDatabases[0] !== undefined) {
    alarms.push({
      cause: 'kept_database',
      title: 'An update was undone, and work done meanwhile is set aside',
      about: `${keptInWords(otherDatabases)} Until then bytes that no document refers to are not cleared from the disk.`,
    });
  }
  const failing = jobs.recurring.filter(({ code, attempts }) => code !== null && attempts >= FAILURES);
  const failed = jobs.failed.filter(
    ({ code, kind, finished_at }) =>
      kind !== 'letter' && FAULTS.has(code ?? '') && Date.parse(finished_at ?? '') > now.getTime() - DAY,
  );
  const [first] = [...failing, ...failed];
  if (first) {
    const count = failing.length + failed.length;
    const job = first.kind.replaceAll('-', ' ');
    alarms.push({
      cause: 'jobs',
      title: count === 1 ? `A background job fails: ${job}` : `${count} background jobs fail`,
      about: `The first is "${job}", which says: ${first.message}. The System screen lists them all.`,
    });
  }
  const days = certificate
    ? Math.floor((Date.parse(certificate.valid_until) - now.getTime()) / DAY)
    : Infinity;
  if (certificate && days < CERTIFICATE_DAYS[certificate.kind]) {
    alarms.push({
      cause: 'certificate',
      title:
        days < 0
          ? 'The certificate has run out'
          : `The certificate ends in ${days === 1 ? '1 day' : `${days} days`}, on ${dayInWords(certificate.valid_until)}`,
      about:
        certificate.kind === 'files'
          ? 'Put a new one where TLS_CERT and TLS_KEY point; it is read without a restart.'
          : `It could not be renewed: ${certificate.problem ?? 'the server has not tried yet'}`,
    });
  }
  // The problem of a public authority may pass by itself: it is asked again until the certificate is about to end.
  const { kind, problem } = certificate ?? {};
  if (problem && kind && kind !== 'acme' && days >= CERTIFICATE_DAYS[kind]) {
    alarms.push({
      cause: 'certificate',
      title: 'The certificate does not fit',
      about:
        kind === 'files'
          ? `${problem} Put another one where TLS_CERT and TLS_KEY point; it is read without a restart.`
          : problem,
    });
  }
  if (!sends) {
    alarms.push({
      cause: 'no_mail',
      title: 'E-mail is not set up, so no e-mail is sent',
      about:
        'Invitations, requests to clients, new passwords and alarms reach nobody: they are kept on this machine, and ' +
        '"npm run admin -- outbox" shows them. Set SMTP_URL and restart. Until then, copy links and send them yourself.',
    });
  }
  const stuck = undelivered.filter(({ waiting, attempts }) => waiting && attempts >= FAILURES);
  if (stuck[0]) {
    alarms.push({
      cause: 'mail',
      title: stuck.length === 1 ? 'An e-mail does not go out' : `${stuck.length} e-mails do not go out`,
      about: `The mail server says: ${sentence(stuck[0].reason)} Check SMTP_URL; they are tried again for three days.`,
    });
  }
  return alarms;
}

function alarmEmail(
  alarm: Alarm,
  { name, email }: InstallationAdmin,
  { appName, baseUrl }: { appName: string; baseUrl: string },
): Sending {
  return {
    to: { name, email },
    kind: 'system.alarm',
    email: {
      subject: `${appName}: ${alarm.title}`,
      parts: [
        `${alarm.title}.`,
        alarm.about,
        { action: 'Open System', href: `${baseUrl}/system` },
        { note: 'This e-mail comes once a day for as long as it stays so.' },
      ],
    },
  };
}

/** E-mails alarms to the installation's admins: once a day for each cause. */
export function createAlarms({
  db,
  clock,
  mail,
  admins,
  current,
  settings,
}: {
  db: Knex;
  clock: Clock;
  mail: Pick<Mail, 'send' | 'sends'>;
  admins: (within: Knex) => Promise<InstallationAdmin[]>;
  current: () => Promise<Alarm[]>;
  settings: { appName: string; baseUrl: string };
}) {
  return {
    /** @returns how many alarms were sent. */
    async sendDue(): Promise<number> {
      // Without a mail server an e-mail would only be stored; the System screen shows the alarms.
      if (!mail.sends) return 0;
      const alarms = await current();
      return db.transaction(async (trx) => {
        await trx('told_alarms')
          .whereNotIn(
            'cause',
            alarms.map(({ cause }) => cause),
          )
          .delete();
        const now = clock();
        const recent: string[] = await trx('told_alarms')
          .where('told_at', '>', new Date(now.getTime() - REPEAT_AFTER_MS).toISOString())
          // A later time is that of a clock which was ahead.
          .where('told_at', '<=', now.toISOString())
          .pluck('cause');
        const due = alarms.filter(({ cause }) => !recent.includes(cause));
        const people = due.length > 0 ? await admins(trx) : [];
        for (const alarm of people.length > 0 ? due : []) {
          for (const person of people) await mail.send(trx, alarmEmail(alarm, person, settings));
          const told_at = now.toISOString();
          await trx('told_alarms')
            .insert({ cause: alarm.cause, since: told_at, told_at })
            .onConflict('cause')
            .merge(['told_at']);
        }
        return people.length > 0 ? due.length : 0;
      });
    },
  };
}
