import * as t from '#messages/uploads.ts';
import { duration, timeLeft } from './pace.ts';
import type { Hold, RemovedTotals, Upload } from './record.ts';
import { CANCELLED, isBusy, isCopy, isRefused, wasAlreadyThere } from './record.ts';

/** The sum over uploads of what `of` reads from each. */
export const sum = (uploads: readonly Upload[], of: (upload: Upload) => number) =>
  uploads.reduce((total, upload) => total + of(upload), 0);
/** Selects the uploads in this state. */
export const by = (status: Upload['status']) => (upload: Upload) => upload.status === status;
/** Finished uploads count completely, also failed ones, so that the progress never goes back. */
export const loadedOf = (upload: Upload) => (isBusy(upload) ? upload.loaded : upload.size);

/** Whether it has failed and was not cancelled. */
export const hasFailed = ({ status, error }: Pick<Upload, 'status' | 'error'>): boolean =>
  status === 'error' && error !== CANCELLED;

/** `2 system files skipped (Thumbs.db, ~$Bill.docx)`; null without any. */
export function systemFilesNote(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const different = [...new Set(names)];
  const examples = [...different.slice(0, 3), ...(different.length > 3 ? ['…'] : [])].join(', ');
  return t.skippedFiles(names.length, examples);
}

export interface Summary {
  /** Queued or running. */
  busy: number;
  /** Refused ones included. */
  failed: number;
  done: number;
  /** Whole percent of all bytes. */
  progress: number;
  /** `Uploading 14 of 60 · 2 min left`. */
  heading: string;
}

const HELD_BY: Record<Hold, string> = {
  offline: t.waitingForNetwork,
  unreachable: t.waitingForServer,
  'signed-out': t.waitingForSignIn,
};
const NO_TOTALS: RemovedTotals = { files: 0, completed: 0, alreadyThere: 0, copies: 0, bytes: 0 };

export function summarise(
  uploads: readonly Upload[],
  hold: Hold | null,
  removed: RemovedTotals = NO_TOTALS,
): Summary {
  const failed = uploads.filter(hasFailed).length;
  const refused = uploads.filter(isRefused).length;
  const counted = uploads.filter((upload) => !isRefused(upload));
  const busy = counted.filter(isBusy).length;
  // Empty folders count where nothing else is uploaded.
  const files = counted.filter(({ folder }) => !folder);
  const shown = files.length + removed.files > 0 ? files : counted;
  const done = shown.filter(by('completed')).length + removed.completed;
  const total = shown.length + removed.files;
  const at = Math.min(total, total - shown.filter(isBusy).length + 1);
  const size = sum(counted, (upload) => upload.size) + removed.bytes;
  const loaded = sum(counted, loadedOf) + removed.bytes;
  const progress = size === 0 ? (busy === 0 ? 100 : 0) : Math.floor((loaded * 100) / size);
  return { busy, failed, done, progress, heading: heading() };

  function heading(): string {
    if (busy > 0 && hold !== null) return HELD_BY[hold];
    if (busy > 0 && uploads.every((upload) => !isBusy(upload) || upload.preparing))
      return t.preparingFiles(busy);
    if (busy > 0) {
      const speed = sum(counted.filter(by('uploading')), (upload) => upload.speed ?? 0);
      const time = timeLeft(size - loaded, speed);
      return time === null ? t.uploading(at, total) : t.uploadingWithTime(at, total, duration(time));
    }
    if (failed > refused) return t.uploadsFailed(failed - refused);
    if (refused > 0 && done === 0) return t.filesRefused(refused);
    if (done === 0) return CANCELLED;
    const complete = refused > 0 ? t.completeButRefused(done, refused) : t.complete(done);
    // For a single file its own row says so.
    if (done < 2) return complete;
    const there = uploads.filter(wasAlreadyThere).length + removed.alreadyThere;
    const copies = uploads.filter(isCopy).length + removed.copies;
    return [
      complete,
      ...(there > 0 ? [t.notUploadedAgain(there)] : []),
      ...(copies > 0 ? [t.alsoElsewhere(copies)] : []),
    ].join(' · ');
  }
}

/** The title of the tab, preceded by the progress while uploads run. */
export function titleWith(title: string, { busy, progress }: Pick<Summary, 'busy' | 'progress'>): string {
  const plain = title.replace(/^\(\d+%\) /, '');
  return busy > 0 ? `(${progress}%) ${plain}` : plain;
}
