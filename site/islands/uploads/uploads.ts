import { extensionOf } from '#server/documents/contract.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { changed } from '../../lib/cache.ts';
import { $session } from '../../lib/session.ts';
import { calls } from '../drive/calls.ts';
import { problems, refusal } from './check.ts';
import type { Collected, Found } from './collect.ts';
import { findSame, resolveConflicts } from './conflicts.ts';
import { createFolders } from './folders.ts';
import type { NewUpload } from './queue.ts';
import { createQueue, UploadError } from './queue.ts';
import { sendFile, unreachable } from './send.ts';
import { summarise, titleWith } from './summary.ts';
import { throttle } from './throttle.ts';

/** Bytes from which a file is sent in pieces, so that it can go on where it stopped. */
const RESUMABLE_FROM = 8 * 1024 * 1024;
/** Milliseconds after which what had arrived of a broken upload is saved or thrown away. */
const SETTLING = 400;
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
 * Queues what was chosen or dropped.
 * @returns why nothing was, fit to be shown; null when it was. Files within folders do not stop each other: what can
 * not be uploaded stands in the panel with its reason.
 */
export function upload(
  { files, emptyFolders }: Collected,
  { parentId, clientId, extractZip = false }: Target,
): string | null {
  const loose = files.filter(({ path }) => path.length === 0);
  const stop =
    loose.length > 0 || emptyFolders.length + files.length === 0
      ? refusal(loose.map(({ file }) => file))
      : null;
  if (stop) return stop;

  const place = createFolders({
    create: (name, parent) => calls.createFolder(name, parent, clientId),
    list: (parent) => calls.listing(parent, null),
  });
  const batches = new Map<string, { id: string; name: string }>();
  const batchOf = (name: string) => {
    const batch = batches.get(name) ?? { id: crypto.randomUUID(), name };
    batches.set(name, batch);
    return batch;
  };
  const madeIn = async (path: readonly string[]) => {
    try {
      return await place(parentId, path);
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) throw unreachable();
      throw new UploadError(messageOf(error, 'Failed to create folder. Please try again.'));
    }
  };
  const asUpload = ({ path, file }: Found): NewUpload => {
    const reasons = problems(file);
    return {
      file,
      clientId,
      parentId,
      extractZip: extractZip && extensionOf(file.name) === 'zip',
      ...(path[0] !== undefined && { batch: batchOf(path[0]), place: () => madeIn(path) }),
      ...(reasons.length > 0 && { refused: reasons.join(', ') }),
    };
  };
  void (async () => {
    const verdicts = await resolveConflicts(files, parentId);
    if (verdicts === null) return;
    const wanted = files.flatMap((found, at) => {
      const verdict = verdicts.get(at);
      return verdict === 'skip' ? [] : [{ ...asUpload(found), ...verdict }];
    });
    queue.add(wanted);
    for (const path of emptyFolders) void place(parentId, path).then(changed, changed);
  })();
  return null;
}

queue.onCompleted(changed);

/** Milliseconds. */
const TITLED_EVERY = 500;

/** What the whole tab does about uploads, on whatever page: ask before leaving, show the progress, go on after a hold. */
export function watchTab(): () => void {
  const busy = () => summarise(queue.$uploads.get(), queue.$hold.get());
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
    retitleSoon.end();
    unfollow();
    removeEventListener('beforeunload', ask);
    removeEventListener('offline', stop);
    removeEventListener('online', goOn);
    document.removeEventListener('astro:page-load', retitle);
  };
}
