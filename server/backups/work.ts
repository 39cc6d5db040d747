import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import { isFull } from '#server/db/errors.ts';
import { conflict } from '#server/http/errors.ts';
import { ServerStopping } from '#server/stopping.ts';
import { plural } from '#server/text/plural.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { RunKind, RunView } from './contract.ts';
import { makeBackup } from './repository/make.ts';
import type { Place } from './repository/place.ts';
import { PlaceRefused } from './repository/place.ts';
import { claimPlace } from './repository/marker.ts';
import { NIGHTS, readBack } from './repository/read-back.ts';
import { readSnapshots } from './repository/manifest.ts';
import type { Outcome } from './runs.ts';
import { watchedPlace } from './watched-place.ts';
import {
  beginRun,
  endRun,
  lastBackupEnd,
  lastBackupMoment,
  lastGood,
  lastTries,
  nextTenth,
  runsOf,
} from './runs.ts';
import { lastTime } from './schedule.ts';
import type { BackupSettings } from './settings.ts';
import { sheetOf } from './sheets.ts';
import { tryRestore } from './trial-restore.ts';
import type { TrialDatabase } from './trial-restore.ts';
import type { Vault } from './vault.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** The pause before a failed run is retried, such as after a share was unavailable. */
const RETRY_AFTER = HOUR / 2;
const TRIAL_EVERY = 30 * DAY;

export interface WorkDependencies {
  db: Knex;
  clock: Clock;
  log: Pick<Logger, 'error' | 'info'>;
  settings: BackupSettings;
  openPlace: () => Promise<Place>;
  openVault: () => Promise<Vault>;
  trialDatabase: TrialDatabase;
  /** Locks the backups against other processes and jobs and, with `deletions`, the deletion of stored files; null while another holds a lock. */
  hold: (what: { deletions: boolean }) => Promise<(() => Promise<void>) | null>;
}

interface Reporting {
  /** Called whenever something has moved: a run may take days, but not stand still. */
  report?: () => void;
  /** Called once the run is recorded as begun. */
  begun?: () => void;
}

/** The outcome of a run whose signal was aborted: by a stop of the server, or since it got stuck. */
function abortedOutcome(kind: RunKind, { reason }: AbortSignal): Outcome {
  if (!(reason instanceof ServerStopping))
    return {
      status: 'failed',
      message: 'It was given up: nothing moved for hours. It is tried again later.',
    };
  const after =
    kind === 'backup'
      ? 'What was copied is kept, and it goes on after the start.'
      : 'It is begun again after the start.';
  return { status: 'interrupted', message: `The server was stopped meanwhile. ${after}` };
}

/** Runs backups, proofs and trials, one at a time, and records the outcome of each. */
export function createBackupWork(dependencies: WorkDependencies) {
  const { db, clock, log, settings, openPlace, openVault, hold } = dependencies;
  const { place: address } = settings;
  /** The number of runs that take the lock just now, and the last look whether it is free: neither may refuse the other. */
  let beginning = 0;
  let probing: Promise<unknown> = Promise.resolve();

  function messageOf(error: unknown): string {
    if (error instanceof PlaceRefused) return error.message;
    if (isFull(error))
      return 'There is no room for the copy of the database that a backup makes beside it. Make room on the disk of DATA_DIR.';
    return `It failed in a way that was not foreseen: ${(error as Error).message}. The log of the server says more.`;
  }

  function outcomeOf(kind: RunKind, error: unknown, signal: AbortSignal): Outcome {
    if (signal.aborted) return abortedOutcome(kind, signal);
    log.error({ err: error, kind }, 'the backups: it failed');
    return { status: 'failed', message: messageOf(error) };
  }

  /** Runs `work` and records its outcome. @throws {AppError} 409 while another run holds the lock. */
  async function record(
    run: { kind: RunKind; tenth?: number; deletions: boolean; signal: AbortSignal } & Reporting,
    work: (place: Place, vault: Vault) => Promise<Outcome>,
  ): Promise<RunView> {
    const { kind, deletions, signal, report = () => {}, begun = () => {}, ...tenth } = run;
    beginning += 1;
    const release = await probing
      .then(() => hold({ deletions }))
      .finally(() => {
        beginning -= 1;
      });
    if (!release)
      throw conflict('A backup, or a check of the backups, is running already. Try again when it is done.');
    try {
      const id = await db.transaction((trx) =>
        beginRun(trx, { kind, place: address, now: clock(), ...tenth }),
      );
      begun();
      const end = (outcome: Outcome) => db.transaction((trx) => endRun(trx, id, clock(), outcome));
      let ended = Promise.resolve();
      // At once: the server may exit before the work has ended, and it would count as cut off by a crash.
      const endEarly = (): void => {
        ended = end(abortedOutcome(kind, signal)).catch((error: unknown) =>
          log.error({ err: error, kind }, 'the backups: the end of a run could not be noted yet'),
        );
      };
      signal.addEventListener('abort', endEarly);
      let outcome: Outcome;
      try {
        signal.throwIfAborted();
        outcome = await work(watchedPlace(await openPlace(), signal, report), await openVault());
      } catch (error) {
        outcome = outcomeOf(kind, error, signal);
      }
      signal.removeEventListener('abort', endEarly);
      await ended;
      await end(outcome);
      return (await runsOf(db, address, kind, 1))[0]!;
    } finally {
      await release();
    }
  }

  const hasBackup = async (): Promise<boolean> => (await lastGood(db, address, 'backup', clock())) !== null;

  async function backup(place: Place, vault: Vault, signal: AbortSignal): Promise<Outcome> {
    const made = await makeBackup({
      ...vault,
      place,
      vault: vault.id,
      last: await lastBackupEnd(db, address, clock()),
      keep: settings.keep,
      sheetSaved: (await sheetOf(db, vault.keys.id)) !== null,
      source: { bytes: vault.bytes, check: vault.checkSealed },
      now: clock(),
      signal,
    });
    const { manifest, moment } = made.snapshot;
    const unreadable = made.pruned.unreadable.map(
      (name) => `The backup ${name} cannot be read. Until it is removed, nothing old is deleted.`,
    );
    const ahead = made.pruned.ahead.map(
      (name) =>
        `The backup ${name} is dated later than the one that was made now: the clock of this server was wrong. Until it is removed, a restore has to say by --at which backup it takes.`,
    );
    const faults = [...made.faults, ...unreadable, ...ahead];
    const { files, blobs, database } = manifest;
    return {
      status: faults.length > 0 ? 'faulty' : 'done',
      moment,
      files: files.files + files.versions,
      bytes: blobs.bytes + database.bytes,
      fresh_bytes: made.fresh,
      faults,
      message: `${files.files} files${files.versions > 0 ? ` and ${files.versions} earlier versions` : ''} (${formatBytes(blobs.bytes)}); ${formatBytes(made.fresh)} were new.`,
    };
  }

  async function proof(
    place: Place,
    vault: Vault,
    tenth: number | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    await claimPlace(place, { vault: vault.id, known: true, now: clock() });
    const found = await readSnapshots(place);
    if (found.snapshots.length + found.unreadable.length === 0) {
      const message = `There is no backup in ${address}.`;
      if (!(await hasBackup())) throw new PlaceRefused(message);
      return { status: 'faulty', faults: [message], message: 'Nothing was read back.' };
    }
    const { faults, ...read } = await readBack({
      place,
      keys: vault.keys,
      vault,
      signal,
      ...(tenth !== undefined && { tenth }),
    });
    const mended =
      read.mended > 0
        ? plural('en', read.mended, {
            one: '; 1 that was damaged was put right from the vault',
            other: '; # that were damaged were put right from the vault',
          })
        : '';
    return {
      status: faults.length > 0 ? 'faulty' : 'done',
      bytes: read.bytes,
      mended: read.mended,
      faults,
      message: `${formatBytes(read.bytes)} in ${read.objects} parts were read back and compared${mended}.`,
    };
  }

  async function trial(place: Place, vault: Vault): Promise<Outcome> {
    await claimPlace(place, { vault: vault.id, known: true, now: clock() });
    const { snapshots } = await readSnapshots(place);
    // Not the newest by its date: that may be of a night on which the clock was ahead. A vault that was restored has no run yet of the backup
    // from which it came.
    const last = await lastBackupMoment(db, address, clock());
    const newest =
      snapshots.find(({ moment }) => moment === last) ?? snapshots.findLast(({ at }) => at <= clock());
    if (!newest)
      throw new PlaceRefused(
        snapshots.length === 0
          ? `There is no backup in ${address} yet.`
          : `All backups in ${address} are dated later than now. Is the clock of this server right?`,
      );
    const tried = await tryRestore({ place, vault, snapshot: newest, database: dependencies.trialDatabase });
    return {
      status: tried.faults.length > 0 ? 'faulty' : 'done',
      moment: newest.moment,
      files: tried.files,
      bytes: tried.bytes,
      faults: tried.faults,
      message:
        tried.sample === 0 && tried.faults.length > 0
          ? `The backup ${newest.moment} could not be opened.`
          : `The backup ${newest.moment} was opened: its database is sound, and ${tried.sample} of its ${tried.files} files were brought back and read.`,
    };
  }

  const isAfter = (a: Date | null, b: Date): boolean => a !== null && a >= b;
  /** Whether a run is under way, in any process. */
  async function busy(): Promise<boolean> {
    if (beginning > 0) return true;
    const probe = hold({ deletions: false }).then(async (release) => {
      await release?.();
      return release === null;
    });
    probing = probe.catch(() => {});
    return probe;
  }
  /** Whether a stop of the server has ended the last run. */
  const isInterrupted = async (kind: RunKind): Promise<boolean> =>
    (await runsOf(db, address, kind, 1))[0]?.status === 'interrupted';

  /**
   * Whether the last attempt is too recent for another. A run that was cut off with its process is repeated immediately, but only once: a
   * second one that is cut off may itself be the cause.
   */
  async function isPausing(kind: RunKind, pause: number): Promise<boolean> {
    if (await isInterrupted(kind)) return false;
    const now = clock();
    const [last, previous] = await lastTries(db, address, kind, now);
    const isRecent = (date: Date | undefined) => date !== undefined && now.getTime() - date.getTime() < pause;
    return isRecent(last?.at) && (last!.status !== 'running' || isRecent(previous?.at));
  }
  /** Whether a run may begin. One that is refused because of another would count as a job that fails. */
  const mayBegin = async (kind: RunKind, pause: number): Promise<boolean> =>
    !(await isPausing(kind, pause)) && !(await busy());

  return {
    busy,

    /** @throws {AppError} 409 while another run holds the lock. */
    backup: (signal: AbortSignal, reporting: Reporting = {}): Promise<RunView> =>
      record({ kind: 'backup', deletions: true, signal, ...reporting }, (place, vault) =>
        backup(place, vault, signal),
      ),

    /** Verifies the next tenth, or everything. @throws {AppError} 409 while another run holds the lock. */
    async prove(
      signal: AbortSignal,
      { all = false, ...reporting }: Reporting & { all?: boolean } = {},
    ): Promise<RunView> {
      const tenth = all ? undefined : await nextTenth(db, address, NIGHTS);
      return record(
        { kind: 'proof', deletions: false, signal, ...reporting, ...(tenth !== undefined && { tenth }) },
        (place, vault) => proof(place, vault, tenth, signal),
      );
    },

    /** @throws {AppError} 409 while another run holds the lock. */
    try: (signal: AbortSignal, reporting: Reporting = {}): Promise<RunView> =>
      record({ kind: 'trial', deletions: false, signal, ...reporting }, trial),

    /** Whether tonight's backup, or one that was missed or interrupted, is due. */
    async backupDue(): Promise<boolean> {
      const now = clock();
      const isMade = isAfter(await lastGood(db, address, 'backup', now), lastTime(settings.at, now));
      if (isMade && !(await isInterrupted('backup'))) return false;
      return mayBegin('backup', RETRY_AFTER);
    },

    /** Whether there is a backup that is newer than the last proof. */
    async proofDue(): Promise<boolean> {
      const lastBackup = await lastGood(db, address, 'backup', clock());
      if (!lastBackup || isAfter(await lastGood(db, address, 'proof', clock()), lastBackup)) return false;
      return mayBegin('proof', RETRY_AFTER);
    },

    async trialDue(): Promise<boolean> {
      if (!(await hasBackup())) return false;
      const lastTrial = await lastGood(db, address, 'trial', clock());
      if (lastTrial && clock().getTime() - lastTrial.getTime() < TRIAL_EVERY) return false;
      return mayBegin('trial', DAY);
    },
  };
}
export type BackupWork = ReturnType<typeof createBackupWork>;
