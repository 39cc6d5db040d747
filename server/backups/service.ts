import { stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Alarm, BackupSummary } from '#server/system/contract.ts';
import { AppError, conflict, forbidden, notFound } from '#server/http/errors.ts';
import { ServerStopping } from '#server/stopping.ts';
import { keyPath, readMasterSecret } from '#storage/keys.ts';
import type { KeySource } from '#storage/keys.ts';
import { alarmOf } from './alarm.ts';
import type { BackupAlarm, BackupNotice, BackupsView, RunKind, SaveSheet } from './contract.ts';
import { recoverySheet } from './recovery/sheet.ts';
import type { Place } from './repository/place.ts';
import { lastGood, runsOf } from './runs.ts';
import { nextTime, timeOfDay } from './schedule.ts';
import type { BackupSettings } from './settings.ts';
import { addSheet, keyInUse, sheetOf } from './sheets.ts';
import type { TrialDatabase } from './trial-restore.ts';
import type { Vault } from './vault.ts';
import type { BackupWork, WorkDependencies } from './work.ts';
import { createBackupWork } from './work.ts';

interface BackupsDependencies {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'error' | 'info'>;
  audit: Pick<Audit, 'record' | 'recordAlone'>;
  /** The admins of the installation. */
  admins: {
    has(actor: Actor): Promise<boolean>;
    /** Whether the person may have the key, which opens the files of every firm on the server. */
    mayHoldKey(actor: Actor): Promise<boolean>;
    /** @throws {AppError} 404 unless the actor is an admin of the installation. */
    requireAdmin(actor: Actor): Promise<void>;
  };
  /** Checks the actor's password. @throws {AppError} 422 on `current_password`, 429. */
  prove: (actor: Actor, password: string) => Promise<unknown>;
  settings: { appName: string; baseUrl: string };
  /** Null in a process without a data folder. */
  folder: {
    dataDir: string;
    openVault: () => Promise<Vault>;
    hold: WorkDependencies['hold'];
    trialDatabase: TrialDatabase;
    source: { dataDir: string; masterKey: string | null; masterKeyFile: string | null };
  } | null;
  /** Null if no automatic backups are configured. */
  place: {
    settings: BackupSettings;
    open: () => Promise<Place>;
    /** Why the place cannot be used now; null if it can. */
    problem: () => Promise<string | null>;
  } | null;
  /** How long `stop` waits for a backup that `runNow` started. */
  stopTimeoutMs?: number;
}

const STOP_TIMEOUT_MS = 10_000;
/** How long a screen waits for the folder of the backups. */
const PLACE_TIMEOUT_MS = 1000;

const ABOUT: Record<BackupAlarm['code'], (message: string) => Pick<Alarm, 'title' | 'about'>> = {
  late: (message) => ({
    title: 'The backup is late',
    about: `${message} Until it is made again, what came in since then is on one disk only. The System screen says more.`,
  }),
  damaged: (message) => ({
    title: 'Something is wrong with the backups',
    about: `${message} The System screen says more; "npm run admin -- backups verify" looks at all of it.`,
  }),
  unchecked: (message) => ({
    title: 'The backups can no longer be checked',
    about: `The last try says: ${message} Until a check succeeds, nobody knows whether the backups can be restored. The System screen says more.`,
  }),
};

const NOT_NAMED =
  'There are several firms on this server, and the sheet opens all of them. Whoever runs it has to name you first: npm run admin -- operator add E-MAIL';

/** Runs shown per kind. */
const SHOWN = 14;

const keepInWords = ({ days, weeks, months }: BackupSettings['keep']): string =>
  `${days} days, ${weeks} weeks and ${months} months`;

async function onSameDisk(dataDir: string, { place, s3 }: BackupSettings): Promise<boolean> {
  if (s3) return false;
  const [data, backups] = await Promise.all([dataDir, place].map((path) => stat(path).catch(() => null)));
  return data !== null && data?.dev === backups?.dev;
}

/** Nightly backups, their proofs, and the recovery sheet that opens them. */
export function createBackups(dependencies: BackupsDependencies) {
  const { db, clock, log, audit, admins, folder, place, settings } = dependencies;
  const { stopTimeoutMs = STOP_TIMEOUT_MS } = dependencies;
  const work =
    folder && place
      ? createBackupWork({
          db,
          clock,
          log,
          settings: place.settings,
          openPlace: place.open,
          openVault: folder.openVault,
          trialDatabase: folder.trialDatabase,
          hold: folder.hold,
        })
      : null;

  const alarm = (): Promise<BackupAlarm | null> =>
    work && place ? alarmOf(db, place.settings.place, clock()) : Promise.resolve(null);

  let looking: Promise<string | null> | null = null;
  /** Why the place cannot be used now; null also while it does not answer, like a share that is away. */
  async function problem(): Promise<string | null> {
    // One look at a time: each that does not return keeps a thread.
    looking ??= place!.problem().finally(() => {
      looking = null;
    });
    return Promise.race([looking, wait(PLACE_TIMEOUT_MS, null, { ref: false })]);
  }

  async function sheet(): Promise<BackupsView['sheet']> {
    const key = folder && (await keyInUse(folder.dataDir));
    return key ? sheetOf(db, key) : null;
  }

  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  async function runRequested(backups: BackupWork, begun: () => void): Promise<void> {
    try {
      await backups.backup(stopping.signal, { begun });
    } catch (error) {
      log.error({ err: error }, 'a backup that was asked for did not run');
    }
  }

  return {
    work,

    /** The backups' section of the System screen; null if no backups are configured. */
    async summary(): Promise<BackupSummary | null> {
      if (!place) return null;
      const address = place.settings.place;
      const lastBackup = await lastGood(db, address, 'backup', clock());
      const current = await alarm();
      const newest = [
        ...(await runsOf(db, address, 'backup', 1)),
        ...(await runsOf(db, address, 'proof', 1)),
        ...(await runsOf(db, address, 'trial', 1)),
      ];
      return {
        last_at: lastBackup?.toISOString() ?? null,
        wrong: current?.message ?? (await problem()),
        lines: newest.map(({ message }) => message).filter((line) => line !== ''),
      };
    },

    /** The message of the last run of each kind that failed. To its job it is a run like others, since the alarm waits for a later try. */
    async failures(): Promise<Map<RunKind, string>> {
      const failures = new Map<RunKind, string>();
      if (!place) return failures;
      for (const kind of ['backup', 'proof', 'trial'] as const) {
        const [last] = await runsOf(db, place.settings.place, kind, 1);
        if (last?.status === 'failed') failures.set(kind, last.message);
      }
      return failures;
    },

    /** The alarm for the admins of the installation. */
    async alarms(): Promise<Alarm[]> {
      const current = await alarm();
      return current ? [{ cause: `backups.${current.code}`, ...ABOUT[current.code](current.message) }] : [];
    },

    /** Everything about the backups. @throws {AppError} 404 for everybody but the admins of the installation. */
    async view(actor: Actor): Promise<BackupsView> {
      await admins.requireAdmin(actor);
      const configured = place?.settings ?? null;
      const runs = (kind: Parameters<typeof runsOf>[2], limit: number) =>
        configured ? runsOf(db, configured.place, kind, limit) : Promise.resolve([]);
      return {
        settings:
          configured && folder
            ? {
                place: configured.place,
                at: timeOfDay(configured.at),
                keep: keepInWords(configured.keep),
                same_disk: await onSameDisk(folder.dataDir, configured),
                problem: await problem(),
              }
            : null,
        alarm: await alarm(),
        backups: await runs('backup', SHOWN),
        proofs: await runs('proof', SHOWN),
        trials: await runs('trial', 3),
        next_at: configured ? nextTime(configured.at, clock()).toISOString() : null,
        sheet: await sheet(),
      };
    },

    /** Starts a backup, which continues after the response. @throws {AppError} 404; 409 if one is running or none is configured. */
    async runNow(actor: Actor): Promise<BackupsView> {
      await admins.requireAdmin(actor);
      if (!work || !place) throw conflict('No place for backups is set up on this server.');
      if (running || (await work.busy())) throw conflict('A backup is running already.');
      await audit.recordAlone({ actor, did: 'backups.run' });
      // The screen asks again for as long as it sees a run under way, so the run has to be in what it is shown.
      await new Promise<void>((begun) => {
        running = runRequested(work, begun).finally(() => {
          running = null;
          begun();
        });
      });
      return this.view(actor);
    },

    /** Resolves once a backup that `runNow` started has ended. */
    idle: (): Promise<void> => running ?? Promise.resolve(),

    /** Cancels a backup that `runNow` started. Resolves once it has ended, or after ten seconds. */
    async stop(): Promise<void> {
      stopping.abort(new ServerStopping());
      if (!running) return;
      const timeout = new AbortController();
      await Promise.race([running, wait(stopTimeoutMs, null, { signal: timeout.signal })]);
      timeout.abort();
    },

    /** The notice at the top of every screen; null if all is well or the actor is not an admin of the installation. */
    async notice(actor: Actor): Promise<BackupNotice | null> {
      if (!folder || !(await admins.has(actor))) return null;
      const [current, saved] = await Promise.all([alarm(), sheet()]);
      const sheet_missing = !saved && (await admins.mayHoldKey(actor));
      return current || sheet_missing ? { alarm: current, sheet_missing } : null;
    },

    /**
     * The recovery sheet as a PDF. It opens everything, so it requires the password, and saving it is recorded in the audit log.
     * @throws {AppError} 404; 403 on a server of several firms unless the person may have the key; 422 on `current_password`; 429.
     */
    async saveSheet(actor: Actor, { current_password }: SaveSheet): Promise<Buffer> {
      await admins.requireAdmin(actor);
      if (!folder) throw notFound('page');
      if (!(await admins.mayHoldKey(actor))) throw forbidden(NOT_NAMED);
      await dependencies.prove(actor, current_password);
      const { masterKey, masterKeyFile, dataDir } = folder.source;
      const source: KeySource = {
        dataDir,
        masterKey: masterKey ?? undefined,
        masterKeyFile: masterKeyFile ?? undefined,
      };
      const key = await keyInUse(dataDir);
      const secret = await readMasterSecret(source).catch(() => null);
      if (!key || !secret)
        throw new AppError(503, 'no_key', `The key cannot be read at ${masterKeyFile ?? keyPath(dataDir)}.`);
      const pdf = await recoverySheet({ ...settings, secret, keyId: key, now: clock() });
      await db.transaction(async (trx) => {
        await addSheet(trx, { keyId: key, userId: actor.userId, now: clock() });
        await audit.record(trx, { actor, did: 'backups.recovery_sheet' });
      });
      return pdf;
    },
  };
}
export type Backups = ReturnType<typeof createBackups>;
