import type { Overtaken } from '#server/documents/contract.ts';
import * as t from '#messages/versions.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { notifyChanged } from '../../lib/cache.ts';
import { formatDateTime, formatTime, isoDateInIndia } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { toastWithUndo } from '../../lib/undo.ts';
import { isBusy } from './record.ts';
import { queue } from './uploads.ts';

/** A file whose content an upload has replaced. */
interface Replaced {
  id: number;
  name: string;
  /** The colleague's version that it was, if the user had not seen it. */
  overtaken: Overtaken | null;
  /** Holds the content until then. */
  version: number;
}

/** Long enough to read why several uploads were not undone. */
const FAILURE_MS = 12_000;
/** Long enough to be noticed by somebody who waits for the upload elsewhere, and to read whose version it was. */
const OVERTAKEN_MS = 30_000;
/** Reasons that are shown, and files that are named with each. */
const MAX_REASONS = 3;
const MAX_NAMED = 3;

/** The files that running acts have replaced so far, by act. */
const pending = new Map<number, Replaced[]>();
/** The uploads that were added to `pending`. */
const noted = new Set<string>();

/** Offers Undo in a toast for what uploads have replaced, once all that were queued with them are finished. */
export function offerUndo(): void {
  const uploads = queue.$uploads.get();
  for (const { id, act, result } of uploads) {
    if (!result?.replaced_version || noted.has(id)) continue;
    noted.add(id);
    const { id: item, name, replaced_version: version, overtaken = null } = result;
    const file = { id: item, name, version, overtaken };
    pending.set(act, [...(pending.get(act) ?? []), file]);
  }
  for (const [act, files] of pending) {
    if (uploads.some((upload) => upload.act === act && isBusy(upload))) continue;
    pending.delete(act);
    const overtaken = overtakenIn(files);
    const title = say(files, t.replacedOne, t.replaced);
    toastWithUndo(
      title,
      () => void undo(files),
      overtaken,
      overtaken === undefined ? undefined : OVERTAKEN_MS,
    );
  }
}

// Completed uploads leave the queue after a while, and the last one of an act may fail.
queue.$uploads.listen(offerUndo);

const momentOf = (at: string): string =>
  isoDateInIndia(Date.parse(at)) === isoDateInIndia(Date.now())
    ? t.atTime(formatTime(at))
    : t.onDay(formatDateTime(at));

/** Says whose versions the user has replaced without having seen them. */
function overtakenIn(files: readonly Replaced[]): string | undefined {
  const unseen = files.filter(({ overtaken }) => overtaken !== null);
  const [first] = unseen;
  if (!first?.overtaken) return undefined;
  const { user_name, at } = first.overtaken;
  if (files.length === 1) return t.overtaken(user_name, momentOf(at));
  const names = unseen.slice(0, MAX_NAMED).map(({ name }) => truncateMiddle(name));
  return t.overtakenOf(names, unseen.length - names.length);
}

/** Restores what each file held; what was uploaded stays as a version. The server refuses where something newer was stored since. */
async function undo(files: readonly Replaced[]): Promise<void> {
  const done: Replaced[] = [];
  const failed: (Replaced & { reason: string })[] = [];
  for (const file of files) {
    try {
      await api.post(`/api/documents/${file.id}/versions/${file.version}/restore?undo=1`, {});
      done.push(file);
    } catch (error) {
      failed.push({ ...file, reason: messageOf(error, t.undoFailed) });
    }
  }
  notifyChanged();
  if (done.length > 0) toast.success(say(done, t.undoneOne, t.undone));
  if (failed.length > 0)
    toast.error(say(failed, t.notUndoneOne, t.notUndone), {
      description: reasonsOf(failed),
      duration: FAILURE_MS,
    });
}

/** Each reason once, with the files for which it is, unless there is only one. */
function reasonsOf(failed: readonly (Replaced & { reason: string })[]): string {
  if (failed.length === 1 && failed[0]) return failed[0].reason;
  return [...Map.groupBy(failed, ({ reason }) => reason)]
    .map(([reason, files]) => {
      const names = files.slice(0, MAX_NAMED).map(({ name }) => truncateMiddle(name));
      return t.notUndoneBecause(names, files.length - names.length, reason);
    })
    .slice(0, MAX_REASONS)
    .join(' ');
}

/** Names a single file, and counts several. */
const say = (files: readonly Replaced[], one: (name: string) => string, many: (n: number) => string) =>
  files.length === 1 && files[0] ? one(truncateMiddle(files[0].name)) : many(files.length);
