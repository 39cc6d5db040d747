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

/** Bytes from which a file is sent in pieces, so that it can go on where it stopped. */
const RESUMABLE_FROM = 8 * 1024 * 1024;
/** Milliseconds after which what had arrived of a broken upload is saved or thrown away. */
const SETTLING = 400;
/** A row with a link that somebody is about to follow. */
const READ = '[data-uploads] li:has(a):hover, [data-uploads] li a:focus-visible';
/** What sends in pieces is loaded when there is first something to send so. */
const resuming = () =>
  import('./resume.ts').catch(() => {
    throw unreachable();
  });

/** This tab's uploads. One module, so every island of the page and of the pages after it sees the same queue. */
export const queue = createQueue({
  async send(sending) {
    const { file, parentId, again } = sending;
    if (file.size >= RESUMABLE_FROM) return (await resuming()).sendResumable(sending);
    // When the answer got lost, the file may be there: sent again, it would be there twice.
    if (again) await new Promise((resolve) => setTimeout(resolve, SETTLING));
    const there = again ? await findSame(file, parentId) : null;
    return there ? { id: there.id, name: there.name } : sendFile(sending);
  },
  isRead: () => document.querySelector(READ) !== null,
  forget({ file, parentId, clientId, extractZip = false, conflict = 'keep' }) {
    if (file.size < RESUMABLE_FROM) return;
    void resuming()
      .then(({ forgetUpload }) => forgetUpload({ file, parentId, clientId, extractZip, conflict }))
      .catch(() => {});
  },
});

export interface Target {
  parentId: number | null;
  clientId: number | null;
  /** Whether ZIP files are unpacked once they are there. */
  extractZip?: boolean;
}

/**
 * Queues what was chosen or dropped. Files that are refused stop nobody else: within folders they stand in the panel
 * with their reason; of files chosen by themselves all are told, with the offer to go on with the others.
 * @returns why nothing at all was queued, fit to be shown; null when something was, or is asked about.
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
  const now = refused.length > 0 ? folders : files;
  void start({ files: now, emptyFolders, leftOut }, target);
  if (refused.length > 0) {
    void (async () => {
      const goOn = await refusedFiles.ask({ refused, others: others.length });
      if (goOn) await start({ files: others, emptyFolders: [], leftOut: [] }, target);
    })();
  }
  return null;
}

const nameOf = (path: readonly string[]): string => path.at(-1) ?? '';

/** Counts them at once, asks about names that are taken, and lets them go. */
async function start({ files, emptyFolders, leftOut }: Collected, target: Target): Promise<void> {
  const { parentId, clientId, extractZip = false } = target;
  if (files.length + emptyFolders.length === 0) return;
  const place = createFolders({
    create: (name, parent) => documentCalls.createFolder(name, parent, clientId),
    list: (parent) => documentCalls.listing(parent, null),
  });
  const batches = new Map<string, Batch>();
  const batchOf = (name: string): Batch => {
    const within = leftOut.filter(([top, ...below]) => top === name && below.length > 0).map(nameOf);
    const batch = batches.get(name) ?? { id: uniqueKey(), name, leftOut: within };
    batches.set(name, batch);
    return batch;
  };
  const madeIn = async (path: readonly string[]) => {
    try {
      return await place(parentId, path);
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) throw unreachable();
      throw new UploadError(messageOf(error, t.folderFailed));
    }
  };
  const within = (path: readonly string[]) =>
    path[0] === undefined ? {} : { batch: batchOf(path[0]), place: () => madeIn(path) };
  const common = { clientId, parentId, root: parentId };
  const asUpload = ({ path, file }: Found): NewUpload => {
    const reasons = problems(file);
    return {
      ...common,
      file,
      path,
      extractZip: extractZip && extensionOf(file.name) === 'zip',
      ...within(path),
      ...(reasons.length > 0 && { refused: reasons.join(', ') }),
    };
  };
  const asFolder = (path: readonly string[]): NewUpload => ({
    ...common,
    file: new File([], nameOf(path)),
    path: path.slice(0, -1),
    folder: true,
    ...within(path),
  });
  const good = files.filter(({ file }) => isAccepted(file));
  const bad = files.filter(({ file }) => !isAccepted(file));
  const ids = queue.add([...good.map(asUpload), ...emptyFolders.map(asFolder)], { preparing: true });
  queue.add(bad.map(asUpload));
  const verdicts = await resolveConflicts(good, parentId);
  if (verdicts === null) return queue.withdraw(ids);
  queue.release(ids, new Map([...verdicts].map(([at, verdict]) => [ids[at]!, verdict])));
}

queue.onCompleted(notifyChanged);

/** Milliseconds. */
const TITLED_EVERY = 500;

/** What the whole tab does about uploads, on whatever page: ask before leaving, show the progress, go on after a hold. */
export function watchTab(): () => void {
  const busy = () => summarise(queue.$uploads.get(), queue.$hold.get(), queue.$left.get());
  const ask = (event: BeforeUnloadEvent) => busy().busy > 0 && event.preventDefault();
  const retitle = () => {
    const title = titleWith(document.title, busy());
    if (title !== document.title) document.title = title;
  };
  const stop = () => busy().busy > 0 && queue.hold('offline');
  const goOn = () => queue.$hold.get() === 'offline' && queue.resume();
  const retitleSoon = throttle(retitle, TITLED_EVERY);
  const unlisten = queue.$uploads.listen(retitleSoon);
  const unfollow = $session.listen(({ status }) => {
    if (status === 'authenticated' && queue.$hold.get() === 'signed-out') queue.resume();
  });
  addEventListener('beforeunload', ask);
  addEventListener('offline', stop);
  addEventListener('online', goOn);
  document.addEventListener('astro:page-load', retitle);
  return () => {
    unlisten();
    retitleSoon.cancel();
    unfollow();
    removeEventListener('beforeunload', ask);
    removeEventListener('offline', stop);
    removeEventListener('online', goOn);
    document.removeEventListener('astro:page-load', retitle);
  };
}
