import { atom } from 'nanostores';
import * as t from '#messages/shareTarget.ts';
import { openPage } from '../navigation.ts';
import { toast } from '../toast.ts';
import { UploadRefused, uploadSharedFile } from './upload.ts';
import type { ShareTarget, SharedFile } from './store.ts';
import { setTarget, removeFile, saveSignedInUser, pendingFiles } from './store.ts';

/** The user's stored files; null until they are loaded. */
export const $shared = atom<readonly SharedFile[] | null>(null);
/** Number of stored files of other users. */
export const $others = atom(0);
/** Why some files could not be sent or shown; '' without an error. */
export const $fault = atom('');
/** The server's reasons for refused files, by key. */
export const $refused = atom<ReadonlyMap<string, string>>(new Map());
/** The file being sent, with its progress from 0 to 1; null while none is. */
export const $sending = atom<{ key: string; part: number } | null>(null);
/** The last batch sent from this page. */
export const $sent = atom<{ count: number; to: ShareTarget } | null>(null);

const PAGE = '/share';
const NOTIFIED_KEY = 'told-of-shared-files';

/** Milliseconds until failed files are retried, as the `online` event does not report a reachable server. */
const RETRY_MS = 20_000;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

async function loadFiles(userId: number, batch: string | null = null): Promise<readonly SharedFile[]> {
  const { own, others } = await pendingFiles(userId, batch);
  $shared.set(own);
  $others.set(others);
  return own;
}

async function sendOne(file: SharedFile): Promise<boolean> {
  $sending.set({ key: file.key, part: 0 });
  try {
    await uploadSharedFile(file, (bytes) =>
      $sending.set({ key: file.key, part: bytes / Math.max(1, file.file.size) }),
    );
    await removeFile(file.key);
    return true;
  } catch (error) {
    if (!(error instanceof UploadRefused)) throw error;
    await setTarget([file.key], undefined);
    $refused.set(new Map([...$refused.get(), [file.key, error.message || t.failed]]));
    return false;
  }
}

async function sendEach(userId: number): Promise<void> {
  let count = 0;
  let to: ShareTarget | undefined;
  try {
    for (const file of await loadFiles(userId)) {
      if (!file.to) continue;
      if (await sendOne(file)) {
        count += 1;
        ({ to } = file);
      }
      await loadFiles(userId);
    }
    if ($refused.get().size > 0) $fault.set(t.someRefused);
  } catch {
    $fault.set(t.sentLater);
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => void resumeSending(userId), RETRY_MS);
  } finally {
    if (to) {
      $sent.set({ count, to });
      toast.success(t.done(count));
    }
  }
}

/** Runs in one tab at a time. A browser without Web Locks has no service worker either, hence nothing to send. */
const exclusive = (work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request('shared-files', work) : work();

/** Loads the stored files, and sends those with a destination. */
export async function resumeSending(userId: number, batch: string | null = null): Promise<void> {
  if ($sending.get()) return;
  try {
    const files = await loadFiles(userId, batch);
    if (!files.some(({ to }) => to)) return;
  } catch {
    $shared.set([]);
    $fault.set(t.unreadable);
    return;
  }
  $sending.set({ key: '', part: 0 });
  $fault.set('');
  await exclusive(() => sendEach(userId)).finally(() => $sending.set(null));
}

/** Sends files to a destination; offline, when the network is back, whatever screen is open. */
export async function sendTo(userId: number, files: readonly SharedFile[], to: ShareTarget): Promise<void> {
  $refused.set(new Map());
  $sent.set(null);
  await setTarget(
    files.map(({ key }) => key),
    to,
  );
  await resumeSending(userId);
}

export async function removeAll(userId: number, files: readonly SharedFile[]): Promise<void> {
  for (const { key } of files) await removeFile(key);
  await loadFiles(userId);
}

/** Shows a toast on other screens, once per tab, if files wait for a destination. */
function notifyAboutPending(): void {
  const count = ($shared.get() ?? []).filter(({ to }) => !to).length;
  if (count === 0 || location.pathname === PAGE || sessionStorage.getItem(NOTIFIED_KEY)) return;
  sessionStorage.setItem(NOTIFIED_KEY, '1');
  toast.info(t.waitHere(count), { action: { label: t.choosePlace, onClick: () => openPage(PAGE) } });
}

/** Sends files with a destination now and whenever the network is back. @returns a function that stops it. */
export function startSending(userId: number): () => void {
  const resume = () => void resumeSending(userId);
  const start = async () => {
    await saveSignedInUser(userId);
    await resumeSending(userId);
    notifyAboutPending();
  };
  void start().catch(() => undefined);
  addEventListener('online', resume);
  return () => removeEventListener('online', resume);
}
