import * as t from '#messages/uploads.ts';
import { commonReason } from './check.ts';
import { timeLeft } from './pace.ts';
import type { Upload, Uploaded } from './record.ts';
import { CANCELLED, isCopy, isRefused, wasAlreadyThere } from './record.ts';
import { by, hasFailed, loadedOf, sum, systemFilesNote } from './summary.ts';

/** One line of the panel: a file, or a whole uploaded folder. */
export interface Row {
  id: string;
  name: string;
  ids: string[];
  /** Files in the folder; null for a single file. */
  count: number | null;
  done: number;
  status: Upload['status'];
  preparing: boolean;
  /** A folder, empty or not. */
  folder: boolean;
  size: number;
  loaded: number;
  /** Whole percent. */
  progress: number;
  speed: number | null;
  eta: number | null;
  error: string | null;
  note: string | null;
  /** The name of the file of which it becomes a new version. */
  versionOf: string | null;
  /** Files of a folder that were there already, and those whose content was in the vault elsewhere; 0 for a single file. */
  alreadyThere: number;
  copies: number;
  /** The earlier copy of a single file's content. */
  copy: NonNullable<Uploaded['same_content']> | null;
  retryable: boolean;
}

/** Several uploads that failed for the same reason, shown in one line. */
export interface Failures {
  /** The reason as shown. */
  id: string;
  uploads: readonly Upload[];
  /** They were never sent, and a retry cannot succeed. */
  refused: boolean;
}

const RANK = { error: 0, uploading: 1, queued: 2, completed: 3 } as const;
const rank = ({ status, error }: Row): number => (error === CANCELLED ? RANK.completed : RANK[status]);

/** The lines at the top: one for all uploads that failed for the same reason. A single one has a row of its own. */
export function failuresOf(uploads: readonly Upload[]): Failures[] {
  const failed = uploads.filter(hasFailed);
  const groups = Map.groupBy(failed, (upload) => `${isRefused(upload)} ${commonReason(upload.error ?? '')}`);
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({
      id: commonReason(group[0]!.error ?? ''),
      uploads: group,
      refused: isRefused(group[0]!),
    }));
}

/** `15 files refused: type not supported`. */
export const headingOfFailures = ({ uploads, refused, id }: Failures): string =>
  t.failedFor(refused ? t.filesRefused(uploads.length) : t.uploadsFailed(uploads.length), id);

/** The rows in order: failed, running, waiting, finished. Without the uploads in `failuresOf`. */
export function rows(uploads: readonly Upload[]): Row[] {
  const inFailures = new Set(failuresOf(uploads).flatMap((group) => group.uploads));
  const groups = Map.groupBy(uploads, ({ id, batch, status, error }) =>
    batch && !hasFailed({ status, error }) ? batch.id : id,
  );
  const failedOf = Map.groupBy(uploads.filter(hasFailed), ({ batch }) => batch?.id);
  const lines = [...groups].flatMap(([id, group]) => {
    const [first] = group;
    if (!first || inFailures.has(first)) return [];
    const isWhole = first.batch !== null && !hasFailed(first);
    return [row(id, first, group, isWhole ? (failedOf.get(id) ?? []) : [])];
  });
  return lines.toSorted((a, b) => rank(a) - rank(b));
}

/** @param failed files of an uploaded folder, which count in its total and have rows of their own. */
function row(id: string, first: Upload, group: Upload[], failed: readonly Upload[]): Row {
  const batch = hasFailed(first) ? null : first.batch;
  const all = batch ? [...group, ...failed.filter((upload) => !isRefused(upload))] : group;
  const files = all.filter(({ folder }) => !folder);
  const size = sum(all, (upload) => upload.size);
  const loaded = sum(all, loadedOf);
  const active = group.filter(by('uploading'));
  const speed = active.some((upload) => upload.speed !== null)
    ? sum(active, (upload) => upload.speed ?? 0)
    : null;
  const status = batch ? statusOf(group) : first.status;
  return {
    id,
    name: batch ? batch.name : first.name,
    ids: group.map((upload) => upload.id),
    count: batch ? files.length : null,
    done: files.filter(by('completed')).length,
    status,
    preparing: group.some(({ preparing }) => preparing),
    folder: batch !== null || first.folder,
    size,
    loaded,
    progress: status === 'completed' ? 100 : size === 0 ? 0 : Math.min(99, Math.floor((loaded * 100) / size)),
    speed,
    eta: timeLeft(size - loaded, speed),
    error: first.error,
    note: batch ? systemFilesNote(batch.systemFiles) : first.note,
    versionOf: first.versionOf?.name ?? null,
    alreadyThere: batch ? all.filter(wasAlreadyThere).length : 0,
    copies: batch ? all.filter(isCopy).length : 0,
    copy: batch ? null : (first.result?.same_content ?? null),
    retryable: first.retryable,
  };
}

function statusOf(group: readonly Upload[]): Upload['status'] {
  if (group.some(by('uploading'))) return 'uploading';
  if (group.some(by('queued'))) return group.some(by('completed')) ? 'uploading' : 'queued';
  return group.some(by('completed')) ? 'completed' : 'error';
}
