import { extensionOf } from '#server/text/extension.ts';
import * as t from '#messages/uploads.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { notifyChanged } from '../../lib/cache.ts';
import { may } from '../../lib/permissions.ts';
import { $session } from '../../lib/session.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { isAccepted, problems, refusal, refusalOf } from './check.ts';
import type { Collected, CollectedFile } from './collect.ts';
import { createFolders } from './folders.ts';
import { createQueue } from './queue.ts';
import type { Batch, NewUpload, Sending, Verdict } from './record.ts';
import { UploadError } from './record.ts';
import { refusedFiles } from './refused.ts';
import { sendFile, unreachable } from './send.ts';
import { systemFilesNote, summarise, titleWith } from './summary.ts';
import { throttle } from '../../lib/throttle.ts';
import { toast } from '../../lib/toast.ts';
import { uniqueKey } from '../../lib/uniqueKey.ts';

/** The size in bytes from which an upload is resumable. */
const RESUMABLE_FROM = 8 * 1024 * 1024;
/**
 * A ZIP that is extracted, and a new version, are not found again by their name and content: if the response was lost,
 * they would be sent and extracted or saved twice. Nor is any file without HTTPS, where the browser offers no `crypto.subtle`
 * to hash it.
 */
const isResumable = ({ file, extractZip, versionOf }: Pick<Sending, 'file' | 'extractZip' | 'versionOf'>) =>
  file.size >= RESUMABLE_FROM || extractZip || versionOf !== null || !crypto.subtle;
/** Milliseconds after which the server has saved or discarded what arrived of a broken upload. */
const SETTLING_MS = 400;
/** Selects a row with a link at which the user points. */
const POINTED_ROW = '[data-uploads] li:has(a):hover, [data-uploads] li a:focus-visible';
/** Loads the module for resumable uploads when it is first needed. */
const loadResume = () =>
  import('./resume.ts').catch(() => {
    throw unreachable();
  });

/** Loads the comparison with what is there. `Uploads` does so soon, so that it works without a network. */
export const loadComparison = () => import('./compare.ts');

/** The uploads of this tab: one queue for all islands of this page and of later ones. */
export const queue = createQueue({
  async send(sending) {
    const { file, parentId, again } = sending;
    if (isResumable(sending)) return (await loadResume()).sendResumable(sending);
    // If the response was lost, the file may exist already: sent again, it would be there twice.
    if (again) await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    const comparison = again
      ? await loadComparison().catch(() => {
          throw unreachable();
        })
      : null;
    const existing = await comparison?.findSameContent(file, parentId);
    return existing ? { id: existing.id, name: existing.name } : sendFile(sending);
  },
  isPointedAt: () => document.querySelector(POINTED_ROW) !== null,
  forget({ file, parentId, clientId, extractZip = false, conflict = 'keep', versionOf = null }) {
    const place = { file, parentId, clientId, extractZip, conflict, versionOf };
    if (!isResumable(place)) return;
    void loadResume()
      .then(({ forgetUpload }) => forgetUpload(place))
      .catch(() => {});
  },
});

export interface Target {
  parentId: number | null;
  clientId: number | null;
  /** Whether ZIP files are extracted after the upload. */
  extractZip?: boolean;
}

/**
 * Queues chosen or dropped files. Refused files do not stop the others: those in folders are listed in the panel with
 * their reason; for refused single files a dialog lists the reasons and offers to upload the others.
 * @returns the message to show if nothing was queued and no dialog opens; else null.
 */
export function upload(collected: Collected, target: Target): string | null {
  try {
    return begin(collected, target);
  } catch {
    return t.startFailed;
  }
}

function begin({ files, emptyFolders, systemFiles }: Collected, target: Target): string | null {
  if (!may('documents.write')) return t.mayNotUpload;
  if (files.length + emptyFolders.length === 0)
    return systemFiles.length > 0
      ? t.nothingToUpload(systemFilesNote(systemFiles.map(nameOf)) ?? '')
      : refusal([]);
  const singles = files.filter(({ path }) => path.length === 0);
  const refused = singles.filter(({ file }) => !isAccepted(file)).map(({ file }) => file);
  const [only] = files;
  if (only && refused.length === 1 && files.length === 1 && emptyFolders.length === 0)
    return refusalOf(only.file);

  const folders = files.filter(({ path }) => path.length > 0);
  const others = singles.filter(({ file }) => isAccepted(file));
  const startedNow = refused.length > 0 ? folders : files;
  start({ files: startedNow, emptyFolders, systemFiles }, target).catch(notStarted);
  if (refused.length > 0) {
    const ask = async () => {
      const confirmed = await refusedFiles.ask({ refused, others: others.length });
      if (confirmed) await start({ files: others, emptyFolders: [], systemFiles: [] }, target);
    };
    ask().catch(notStarted);
  }
  return null;
}

/** For a fault that no one foresaw: without a word, nothing would seem to happen. */
const notStarted = () => void toast.error(t.startFailed);

const nameOf = (path: readonly string[]): string => path.at(-1) ?? '';

/** Adds the files to the queue, asks about taken names, and starts the uploads. */
async function start({ files, emptyFolders, systemFiles }: Collected, target: Target): Promise<void> {
  const { parentId, clientId, extractZip = false } = target;
  if (files.length + emptyFolders.length === 0) return;
  const place = createFolders({
    create: (name, parent) => documentCalls.createFolder(name, parent, clientId),
    list: (parent) => documentCalls.listing(parent, null),
  });
  const batches = new Map<string, Batch>();
  const batchOf = (name: string): Batch => {
    const skipped = systemFiles.filter(([top, ...below]) => top === name && below.length > 0).map(nameOf);
    const batch = batches.get(name) ?? { id: uniqueKey(), name, systemFiles: skipped };
    batches.set(name, batch);
    return batch;
  };
  const createPath = async (path: readonly string[]) => {
    try {
      return await place(parentId, path);
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) throw unreachable();
      throw new UploadError(messageOf(error, t.folderFailed));
    }
  };
  const folderOf = (path: readonly string[]) =>
    path[0] === undefined ? {} : { batch: batchOf(path[0]), place: () => createPath(path) };
  const common = { clientId, parentId, root: parentId };
  const asUpload = ({ path, file }: CollectedFile): NewUpload => {
    const reasons = problems(file);
    return {
      ...common,
      file,
      path,
      extractZip: extractZip && extensionOf(file.name) === 'zip',
      ...folderOf(path),
      ...(reasons.length > 0 && { refused: reasons.join(', ') }),
    };
  };
  const asFolder = (path: readonly string[]): NewUpload => ({
    ...common,
    file: new File([], nameOf(path)),
    path: path.slice(0, -1),
    folder: true,
    ...folderOf(path),
  });
  const accepted = files.filter(({ file }) => isAccepted(file));
  const refused = files.filter(({ file }) => !isAccepted(file));
  const ids = queue.add([...accepted.map(asUpload), ...emptyFolders.map(asFolder)], { preparing: true });
  queue.add(refused.map(asUpload));
  // Without it both files are kept, as when the server cannot be asked.
  const comparison = await loadComparison().catch(() => null);
  const verdicts = comparison
    ? await comparison.resolveConflicts(accepted, parentId).catch((error: unknown) => {
        queue.withdraw(ids);
        throw error;
      })
    : new Map<number, Verdict>();
  if (verdicts === null) return queue.withdraw(ids);
  queue.release(ids, new Map([...verdicts].map(([index, verdict]) => [ids[index]!, verdict])));
}

queue.onCompleted(notifyChanged);
queue.onCompleted(({ result }) => {
  if (!result?.replaced_version) return;
  // Without it the file still has its list of versions.
  import('./undoReplacing.ts').then(({ offerUndo }) => offerUndo()).catch(() => {});
});

/** Milliseconds. */
const TITLE_INTERVAL_MS = 500;

/** Handles uploads for the whole tab: asks before leaving, shows progress in the title, and continues after a pause. */
export function watchTab(): () => void {
  const summary = () => summarise(queue.$uploads.get(), queue.$hold.get(), queue.$removedTotals.get());
  const askBeforeUnload = (event: BeforeUnloadEvent) => summary().busy > 0 && event.preventDefault();
  const retitle = () => {
    const title = titleWith(document.title, summary());
    if (title !== document.title) document.title = title;
  };
  const onOffline = () => summary().busy > 0 && queue.hold('offline');
  const onOnline = () => queue.$hold.get() === 'offline' && queue.resume();
  const retitleSoon = throttle(retitle, TITLE_INTERVAL_MS);
  const unlisten = queue.$uploads.listen(retitleSoon);
  const unsubscribe = $session.listen(({ status }) => {
    if (status === 'authenticated' && queue.$hold.get() === 'signed-out') queue.resume();
    // What is queued must not be sent as another user's.
    if (['anonymous', 'signed-out', 'replaced'].includes(status)) queue.hold('signed-out');
  });
  addEventListener('beforeunload', askBeforeUnload);
  addEventListener('offline', onOffline);
  addEventListener('online', onOnline);
  document.addEventListener('astro:page-load', retitle);
  return () => {
    unlisten();
    retitleSoon.cancel();
    unsubscribe();
    removeEventListener('beforeunload', askBeforeUnload);
    removeEventListener('offline', onOffline);
    removeEventListener('online', onOnline);
    document.removeEventListener('astro:page-load', retitle);
  };
}
