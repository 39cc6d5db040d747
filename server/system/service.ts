import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { Jobs, ListedJob } from '#server/jobs/service.ts';
import type { Mail } from '#server/mail/service.ts';
import { confinement } from '#server/sandbox/confinement.ts';
import { createInstallationAdmins } from './admins.ts';
import { alarmsOf, createAlarms } from './alarms.ts';
import { clockFault } from './clock-fault.ts';
import type { Alarm, BackupSummary, SystemJob, SystemView } from './contract.ts';
import { createDiskOutlook } from './disk.ts';
import type { Machine } from './machine.ts';

interface SystemDependencies {
  db: Knex;
  clock: Clock;
  jobs: Pick<Jobs, 'overview'>;
  mail: Pick<Mail, 'send' | 'undelivered' | 'sendAgain' | 'means' | 'sends'>;
  /** Null in a process that serves nobody. */
  machine: Machine | null;
  /** State of the backups; null when automatic backups are off. */
  backups: () => Promise<BackupSummary | null>;
  /** Alarms of other modules. */
  others?: () => Promise<Alarm[]>;
  /** Databases that reverted updates have left beside the one in use. */
  otherDatabases?: () => Promise<readonly string[]>;
  /** Time of the latest history entry, ISO 8601, UTC. */
  lastSaved?: () => Promise<string | null>;
  emails: readonly string[];
  settings: { appName: string; baseUrl: string };
}

const jobView = (row: ListedJob): SystemJob => ({
  id: row.id,
  kind: row.kind,
  firm: row.firm,
  message: row.message,
  attempts: row.attempts,
  progress: row.progress,
  at: row.finished_at ?? row.started_at,
});

/** The state of the installation, for its admins. */
export function createSystem(dependencies: SystemDependencies) {
  const { db, clock, jobs, mail, machine, backups, others, otherDatabases, lastSaved, emails, settings } =
    dependencies;
  const admins = createInstallationAdmins({ db, clock, emails });
  const outlook = createDiskOutlook({ db, clock, readDisk: machine && machine.disk });
  const certificate = () => machine?.certificate() ?? null;

  async function facts() {
    const [disk, overview, undelivered, storage = null, saved = null, otherDatabasePaths = []] =
      await Promise.all([
        outlook.view(),
        jobs.overview(),
        mail.undelivered(),
        machine?.storage?.(),
        lastSaved?.(),
        otherDatabases?.(),
      ]);
    const now = clock();
    const wrong = clockFault(now, {
      recorded: saved === null ? null : new Date(saved),
      remote: machine?.remoteTime?.() ?? null,
      ticks: performance.now(),
    });
    return {
      disk,
      storage,
      jobs: overview,
      undelivered,
      sends: mail.sends,
      certificate: certificate(),
      clock: wrong,
      otherDatabases: otherDatabasePaths,
      now,
    };
  }

  const currentAlarms = async (): Promise<Alarm[]> => [
    ...alarmsOf(await facts()),
    ...((await others?.()) ?? []),
  ];

  const alarms = createAlarms({
    db,
    clock,
    mail,
    admins: admins.listOf,
    current: currentAlarms,
    settings,
  });

  return {
    admins,
    /** Whether e-mails are really sent. */
    sendsEmail: mail.sends,
    /** Whether this user may open the System screen. */
    may: (actor: Actor): Promise<boolean> => admins.has(actor),

    /** @throws {AppError} 404 for everybody but the admins of the installation. */
    async view(actor: Actor): Promise<SystemView> {
      await admins.requireAdmin(actor);
      const known = await facts();
      const { recurring, running, waiting, failed } = known.jobs;
      return {
        app: {
          name: settings.appName,
          version: machine?.version ?? '',
          node: process.versions.node,
          started_at: (machine?.startedAt ?? clock()).toISOString(),
          confinement: await confinement(),
        },
        update: (await machine?.lastUpdate()) ?? null,
        disk: known.disk,
        jobs: {
          running: running.map(jobView),
          waiting: waiting.all,
          // E-mails are listed separately.
          failed: failed.filter(({ kind }) => kind !== 'letter').map(jobView),
          recurring: recurring.map((row) => ({
            ...jobView(row),
            failing: row.code !== null,
            next_at: row.due_at,
          })),
        },
        mail: { means: mail.means, sends: mail.sends, undelivered: known.undelivered },
        certificate: known.certificate,
        backups: await backups(),
        key: (await machine?.key?.()) ?? null,
        alarms: [...alarmsOf(known), ...((await others?.()) ?? [])],
      };
    },

    /** @throws {AppError} 404 when nothing is left to send, and for everybody but the admins of the installation. */
    async sendAgain(actor: Actor, emailId: number): Promise<void> {
      await admins.requireAdmin(actor);
      await db.transaction((trx) => mail.sendAgain(trx, emailId));
    },

    /** Stores today's disk use. */
    noteDisk: outlook.note,
    /** E-mails the current alarms to the admins. */
    sendAlarms: alarms.sendDue,
  };
}
export type System = ReturnType<typeof createSystem>;
