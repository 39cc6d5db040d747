import type { Hold, Upload } from './queue.ts';
import { duration, timeLeft } from './pace.ts';
import { CANCELLED } from './queue.ts';

/** One line of the panel: a file, or a whole uploaded folder. */
export interface Row {
  id: string;
  name: string;
  ids: string[];
  /** Files in the folder; null for a single file. */
  count: number | null;
  done: number;
  status: Upload['status'];
  size: number;
  loaded: number;
  /** Whole percent. */
  progress: number;
  speed: number | null;
  eta: number | null;
  error: string | null;
  note: string | null;
  retryable: boolean;
}

const sum = (uploads: readonly Upload[], of: (upload: Upload) => number) =>
  uploads.reduce((total, upload) => total + of(upload), 0);
const by = (status: Upload['status']) => (upload: Upload) => upload.status === status;
const loadedOf = (upload: Upload) => (upload.status === 'completed' ? upload.size : upload.loaded);

const RANK = { error: 0, uploading: 1, queued: 2, completed: 3 } as const;
const rank = ({ status, error }: Row): number => (error === CANCELLED ? RANK.completed : RANK[status]);

/** It has failed and was not called off. */
export const hasFailed = ({ status, error }: Pick<Upload, 'status' | 'error'>): boolean =>
  status === 'error' && error !== CANCELLED;

/** Failed first, then what is under way, what waits, what is over; a failed file of a folder has its own line. */
export function rows(uploads: readonly Upload[]): Row[] {
  const groups = new Map<string, Upload[]>();
  for (const upload of uploads) {
    const key = upload.batch && upload.status !== 'error' ? upload.batch.id : upload.id;
    groups.set(key, [...(groups.get(key) ?? []), upload]);
  }
  return [...groups].map(([id, group]) => row(id, group)).toSorted((a, b) => rank(a) - rank(b));
}

function row(id: string, group: Upload[]): Row {
  const first = group[0] as Upload;
  const whole = first.batch !== null && first.status !== 'error';
  const size = sum(group, ({ size }) => size);
  const loaded = sum(group, loadedOf);
  const active = group.filter(by('uploading'));
  const speed = active.some((upload) => upload.speed !== null)
    ? sum(active, (upload) => upload.speed ?? 0)
    : null;
  const done = group.filter(by('completed')).length;
  const status = !whole
    ? first.status
    : active.length > 0
      ? 'uploading'
      : done === group.length
        ? 'completed'
        : 'queued';
  return {
    id,
    name: whole && first.batch ? first.batch.name : first.name,
    ids: group.map((upload) => upload.id),
    count: whole ? group.length : null,
    done,
    status,
    size,
    loaded,
    progress: status === 'completed' ? 100 : size === 0 ? 0 : Math.min(99, Math.floor((loaded * 100) / size)),
    speed,
    eta: timeLeft(size - loaded, speed),
    error: first.error,
    note: whole ? null : first.note,
    retryable: first.retryable,
  };
}

export interface Summary {
  /** Queued or under way. */
  busy: number;
  failed: number;
  done: number;
  /** Whole percent of all bytes. */
  progress: number;
  /** `Uploading 14 of 60 · 2 min left`. */
  heading: string;
}

const HELD_BY: Record<Hold, string> = {
  offline: 'Waiting for the network',
  unreachable: 'Waiting for the server',
  'signed-out': 'Uploads are waiting for you to sign in',
};

export function summarise(uploads: readonly Upload[], hold: Hold | null): Summary {
  const failed = uploads.filter(hasFailed).length;
  const done = uploads.filter(by('completed')).length;
  const going = uploads.filter((upload) => upload.status !== 'error');
  const busy = going.length - done;
  const size = sum(going, (upload) => upload.size);
  const loaded = sum(going, loadedOf);
  const progress = size === 0 ? (busy === 0 ? 100 : 0) : Math.floor((loaded * 100) / size);
  return { busy, failed, done, progress, heading: heading() };

  function heading(): string {
    if (busy > 0 && hold !== null) return HELD_BY[hold];
    if (busy > 0) {
      const speeds = going.filter(by('uploading')).map((upload) => upload.speed ?? 0);
      const left = timeLeft(
        size - loaded,
        speeds.reduce((total, speed) => total + speed, 0),
      );
      return `Uploading ${done + 1} of ${going.length}${left === null ? '' : ` · ${duration(left)} left`}`;
    }
    if (failed + done === 0) return CANCELLED;
    if (failed > 0) return `${failed} ${failed === 1 ? 'upload' : 'uploads'} failed`;
    return `${done} ${done === 1 ? 'upload' : 'uploads'} complete`;
  }
}

/** The tab's title with the progress before it, or as it was when nothing is under way. */
export function titleWith(title: string, { busy, progress }: Pick<Summary, 'busy' | 'progress'>): string {
  const plain = title.replace(/^\(\d+%\) /, '');
  return busy > 0 ? `(${progress}%) ${plain}` : plain;
}
