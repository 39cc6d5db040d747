import * as v from 'valibot';

/** Kinds of runs: a backup; reading back and comparing a tenth of all bytes; a trial restore into a temporary folder. */
export type RunKind = 'backup' | 'proof' | 'trial';
/** `faulty`: the run was completed and found faults. `interrupted`: an orderly stop of the server ended it. */
export type RunStatus = 'running' | 'done' | 'faulty' | 'failed' | 'interrupted';

export interface RunView {
  id: number;
  kind: RunKind;
  status: RunStatus;
  /** ISO 8601, UTC. */
  started_at: string;
  finished_at: string | null;
  /** The name of the snapshot, such as 2026-11-22T20-00-00Z. */
  moment: string | null;
  files: number;
  /** The total size in the backup, or of the objects read back. */
  bytes: number;
  /** The newly written part of the total. */
  fresh_bytes: number;
  /** The tenth that was read back, from 0 to 9; null for everything. */
  tenth: number | null;
  /** Damaged objects that were repaired. */
  mended: number;
  message: string;
  faults: string[];
}

/** The current problems of the backups, worst first. */
export interface BackupAlarm {
  code: 'late' | 'damaged' | 'unchecked';
  message: string;
}

export interface BackupsView {
  /** Null if no place is configured. `problem`: why the place cannot be used now. */
  settings: {
    place: string;
    at: string;
    keep: string;
    same_disk: boolean;
    problem: string | null;
  } | null;
  alarm: BackupAlarm | null;
  /** Newest first. */
  backups: RunView[];
  proofs: RunView[];
  trials: RunView[];
  /** When the next backup is due, ISO 8601. */
  next_at: string | null;
  /** When the recovery sheet of the current key was last saved; null if it never was. */
  sheet: { saved_at: string; by: string | null } | null;
}

/** The notice at the top of every screen of the admins of the installation. */
export interface BackupNotice {
  alarm: BackupAlarm | null;
  sheet_missing: boolean;
}

export const saveSheet = v.object({
  current_password: v.pipe(
    v.string('Enter your password'),
    v.minLength(1, 'Enter your password'),
    v.maxLength(1000, 'Enter your password'),
  ),
});
export type SaveSheet = v.InferOutput<typeof saveSheet>;
