import * as v from 'valibot';

/** A backup; a tenth of all bytes read back and compared; a restore into a scratch folder that was tried. */
export type RunKind = 'backup' | 'proof' | 'trial';
/** `faulty`: it came to its end, but something is wrong, as its faults say. */
export type RunStatus = 'running' | 'done' | 'faulty' | 'failed';

export interface RunView {
  id: number;
  kind: RunKind;
  status: RunStatus;
  /** ISO 8601, UTC. */
  started_at: string;
  finished_at: string | null;
  /** The name of the backup that was made, such as 2026-11-22T20-00-00Z. */
  moment: string | null;
  files: number;
  /** Of all that is in the backup, or that was read back. */
  bytes: number;
  /** Of these, what was not there before. */
  fresh_bytes: number;
  /** Which tenth was read back, from 0 to 9; null for all of it. */
  tenth: number | null;
  /** Damaged objects that were put right. */
  mended: number;
  message: string;
  faults: string[];
}

/** What is wrong with the backups now, worst first. */
export interface BackupAlarm {
  code: 'late' | 'damaged';
  message: string;
}

export interface BackupsView {
  /** Null where no place is set. */
  settings: { place: string; at: string; keep: string; same_disk: boolean } | null;
  alarm: BackupAlarm | null;
  /** The newest first. */
  backups: RunView[];
  proofs: RunView[];
  trials: RunView[];
  /** When the next one is due, ISO 8601. */
  next_at: string | null;
  /** When somebody saved the recovery sheet of the key that is in use; null when nobody has. */
  sheet: { saved_at: string; by: string | null } | null;
}

/** What every screen of such a person shows on top. */
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
