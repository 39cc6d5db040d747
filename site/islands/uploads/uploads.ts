import { extensionOf } from '#server/text/extension.ts';
import * as t from '#messages/uploads.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { notifyChanged } from '../../lib/cache.ts';
import { may } from '../../lib/permissions.ts';
import { $session } from '../../lib/session.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { isAccepted, problems, refusal, refusalOf } from './check.ts';
import type { Collected, Found } from './collect.ts';
import { findSame, resolveConflicts } from './conflicts.ts';
import { createFolders } from './folders.ts';
import { createQueue } from './queue.ts';
import type { Batch, NewUpload } from './record.ts';
import { UploadError } from './record.ts';
import { refusedFiles } from './refused.ts';
import { sendFile, unreachable } from './send.ts';
import { leftOutNote, summarise, titleWith } from './summary.ts';
import { throttle } from '../../lib/throttle.ts';
import { uniqueKey } from '../../lib/uniqueKey.ts';

/** Files of this size or more are uploaded resumably (tus), smaller ones by one multipart request. */
const RESUMABLE_MIN_BYTES = 8 * 1024 * 1024;
/** Milliseconds that the server needs to save or discard the upload of a broken connection. */
const SETTLE_MS = 400;
/** A row whose link is hovered or focused. */
const HOVERED_ROW = '[data-uploads] li:has(a):hover, [data-uploads] li a:focus-visible';
/** The tus client is loaded on first use. */
const importResumable = () =>
  import('./resume.ts').catch(() => {
    throw unreachable();
  });

/** The upload queue of this tab. A module singleton, so that all islands of all pages share it. */
export const queue = createQueue({
  async send(request) {
    const { file, parentId, again } = request;
    if (file.size >= RESUMABLE_MIN_BYTES) return (await importResumable()).sendResumable(request);
    // If the response of an earlier try was lost, the file may exist: sending it again would duplicate it.
    if (again) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    const existing = again ? await findSame(file, parentId) : null;
    return existing ? { id: existing.id, name: existing.name } : sendFile(request);
  },
  isReading: () => document.querySelector(HOVERED_ROW) !== null,
  discardPartial({ file, parentId, clientId, extractZip = false, conflict = 'keep' }) {
    if (file.size < RESUMABLE_MIN_BYTES) return;
    void importResumable()
      .then(({ terminateUpload }) => terminateUpload({ file, parentId, clientId, extractZip, conflict }))
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
 * Queues chosen or dropped files. Refused files do not stop the others: batchProps folders they are shown in the panel with
 * their reasons; for single files a dialog lists the refused ones, and offers to upload the others.
 * @returns an error message if nothing was queued; null if something was, or a dialog asks about it.
 */
export function upload({ files, emptyFolders, leftOut }: Collected, target: Target): string | null {
  if (!may('documents.write')) return t.mayNotUpload;
  if (files.length + emptyFolders.length === 0)
    return leftOut.length > 0 ? t.nothingToUpload(leftOutNote(leftOut.map(nameOf)) ?? '') : refusal([]);
  const loose = files.filter(({ path }) => path.length === 0);
  const refused = loose.filter(({ file }) => !isAccepted(file)).map(({ file }) => file);
  const [only] = files;
  if (only && refused.length === 1 && files.length === 1 && emptyFolders.length === 0)
    return refusalOf(only.file);

  const folders = files.filter(({ path }) => path.length > 0);
  const others = loose.filter(({ file }) => isAccepted(file));
  const immediate = refused.length > 0 ? folders : files;
  void start({ files: immediate, emptyFolders, leftOut }, target);
  if (refused.length > 0) {
    void (async () => {
      const proceed = await refusedFiles.ask({ refused, others: others.length });
      if (proceed) await start({ files: others, emptyFolders: [], leftOut: [] }, target);
    })();
  }
  return null;
}

const nameOf = (path: readonly string[]): string => path.at(-1) ?? '';

/** Queues files immediately, so that the totals count them, resolves name conflicts, and then starts the uploads. */
async function start({ files, emptyFolders, leftOut }: Collected, target: Target): Promise<void> {
  const { parentId, clientId, extractZip = false } = target;
  if (files.length + emptyFolders.length === 0) return;
  const ensureFolders = createFolders({
    create: (name, parent) => documentCalls.createFolder(name, parent, clientId),
    list: (parent) => documentCalls.listing(parent, null),
  });
  const batches = new Map<string, Batch>();
  const batchOf = (name: string): Batch => {
    const inBatch = leftOut.filter(([top, ...below]) => top === name && below.length > 0).map(nameOf);
    const batch = batches.get(name) ?? { id: uniqueKey(), name, leftOut: inBatch };
    batches.set(name, batch);
    return batch;
  };
  const createParents = async (path: readonly string[]) => {
    try {
      return await ensureFolders(parentId, path);
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) throw unreachable();
      throw new UploadError(messageOf(error, t.folderFailed));
    }
  };
  const batchProps = (path: readonly string[]) =>
    path[0] === undefined ? {} : { batch: batchOf(path[0]), createParents: () => createParents(path) };
  const common = { clientId, parentId, root: parentId };
  const asUpload = ({ path, file }: Found): NewUpload => {
    const reasons = problems(file);
    return {
      ...common,
      file,
      path,
      extractZip: extractZip && extensionOf(file.name) === 'zip',
      ...batchProps(path),
      ...(reasons.length > 0 && { refused: reasons.join(', ') }),
    };
  };
  const asFolder = (path: readonly string[]): NewUpload => ({
    ...common,
    file: new File([], nameOf(path)),
    path: path.slice(0, -1),
    folder: true,
    ...batchProps(path),
  });
  const accepted = files.filter(({ file }) => isAccepted(file));
  const rejected = files.filter(({ file }) => !isAccepted(file));
  const ids = queue.add([...accepted.map(asUpload), ...emptyFolders.map(asFolder)], { preparing: true });
  queue.add(rejected.map(asUpload));
  const verdicts = await resolveConflicts(accepted, parentId);
  if (verdicts === null) return queue.discard(ids);
  queue.release(ids, new Map([...verdicts].map(([at, verdict]) => [ids[at]!, verdict])));
}

queue.onCompleted(notifyChanged);

const TITLE_INTERVAL_MS = 500;

/** The tab's behaviour during uploads: a prompt before leaving, progress in the title, and resuming after a hold. */
export function watchTab(): () => void {
  const summary = () => summarise(queue.$uploads.get(), queue.$hold.get(), queue.$left.get());
  const onBeforeUnload = (event: BeforeUnloadEvent) => summary().busy > 0 && event.preventDefault();
  const updateTitle = () => {
    const title = titleWith(document.title, summary());
    if (title !== document.title) document.title = title;
  };
  const onOffline = () => summary().busy > 0 && queue.hold('offline');
  const onOnline = () => queue.$hold.get() === 'offline' && queue.resume();
  const throttledTitle = throttle(updateTitle, TITLE_INTERVAL_MS);
  const unsubscribeUploads = queue.$uploads.listen(throttledTitle);
  const unsubscribeSession = $session.listen(({ status }) => {
    if (status === 'authenticated' && queue.$hold.get() === 'signed-out') queue.resume();
  });
  addEventListener('beforeunload', onBeforeUnload);
  addEventListener('offline', onOffline);
  addEventListener('online', onOnline);
  document.addEventListener('astro:page-load', updateTitle);
  return () => {
    unsubscribeUploads();
    throttledTitle.cancel();
    unsubscribeSession();
    removeEventListener('beforeunload', onBeforeUnload);
    removeEventListener('offline', onOffline);
    removeEventListener('online', onOnline);
    document.removeEventListener('astro:page-load', updateTitle);
  };
}
