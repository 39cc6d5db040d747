import { atom } from 'nanostores';
import * as t from '#messages/share.ts';
import { openPage } from '../navigation.ts';
import { toast } from '../toast.ts';
import { UploadRefused, uploadSharedFile } from './upload.ts';
import type { ShareTarget, SharedFile } from './store.ts';
import { setTarget, removeFile, saveSignedInUser, pendingFiles } from './store.ts';

/** What waits on this phone for one person; null until the browser has said it. */
export const $shared = atom<readonly SharedFile[] | null>(null);
/** How many files wait for other people. */
export const $others = atom(0);
/** Why not all could be sent or shown; '' without a fault. */
export const $fault = atom('');
/** Why files were not taken, by their keys. */
export const $refused = atom<ReadonlyMap<string, string>>(new Map());
/** What is being sent, and the part of it that has arrived, 0 to 1; null while nothing is. */
export const $sending = atom<{ key: string; part: number } | null>(null);
/** What was sent last from this page. */
export const $sent = atom<{ count: number; to: ShareTarget } | null>(null);

const PAGE = '/share';
const TOLD = 'told-of-shared-files';

/** Milliseconds after which what could not be sent is tried again, where the browser tells of no change of network. */
const AGAIN = 20_000;
let timer: ReturnType<typeof setTimeout> | undefined;

async function show(userId: number, batch: string | null = null): Promise<readonly SharedFile[]> {
  const { own, others } = await pendingFiles(userId, batch);
  $shared.set(own);
  $others.set(others);
  return own;
}

async function sendOne(one: SharedFile): Promise<boolean> {
  $sending.set({ key: one.key, part: 0 });
  try {
    await uploadSharedFile(one, (bytes) =>
      $sending.set({ key: one.key, part: bytes / Math.max(1, one.file.size) }),
    );
    await removeFile(one.key);
    return true;
  } catch (error) {
    if (!(error instanceof UploadRefused)) throw error;
    await setTarget([one.key], undefined);
    $refused.set(new Map([...$refused.get(), [one.key, error.message || t.failed]]));
    return false;
  }
}

async function sendEach(userId: number): Promise<void> {
  let count = 0;
  let to: ShareTarget | undefined;
  try {
    for (const one of await show(userId)) {
      if (!one.target) continue;
      if (await sendOne(one)) {
        count += 1;
        ({ target: to } = one);
      }
      await show(userId);
    }
    if ($refused.get().size > 0) $fault.set(t.someRefused);
  } catch {
    $fault.set(t.later);
    clearTimeout(timer);
    timer = setTimeout(() => void resumeSending(userId), AGAIN);
  } finally {
    if (to) {
      $sent.set({ count, to });
      toast.success(t.done(count));
    }
  }
}

/** One tab at a time; a browser without locks has no worker either, that could give several tabs something to send. */
const alone = (work: () => Promise<void>): Promise<void> =>
  navigator.locks ? navigator.locks.request('shared-files', work) : work();

/** Shows what waits, and sends what has a place. */
export async function resumeSending(userId: number, batch: string | null = null): Promise<void> {
  if ($sending.get()) return;
  try {
    const files = await show(userId, batch);
    if (!files.some(({ target: to }) => to)) return;
  } catch {
    $shared.set([]);
    $fault.set(t.unreadable);
    return;
  }
  $sending.set({ key: '', part: 0 });
  $fault.set('');
  await alone(() => sendEach(userId)).finally(() => $sending.set(null));
}

/** Sends files to a place; without a connection once there is one, whatever screen is open. */
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
  await show(userId);
}

/** Says on other screens, once in a tab, that there are files to choose a place for. */
function tellOfWaiting(): void {
  const count = ($shared.get() ?? []).filter(({ target: to }) => !to).length;
  if (count === 0 || location.pathname === PAGE || sessionStorage.getItem(TOLD)) return;
  sessionStorage.setItem(TOLD, '1');
  toast.info(t.waitHere(count), { action: { label: t.choosePlace, onClick: () => openPage(PAGE) } });
}

/** For as long as this tab is open: what has a place is sent now, and whenever the network comes back. @returns what ends it. */
export function startSending(userId: number): () => void {
  const now = () => void resumeSending(userId);
  const begin = async () => {
    await saveSignedInUser(userId);
    await resumeSending(userId);
    tellOfWaiting();
  };
  void begin().catch(() => undefined);
  addEventListener('online', now);
  return () => removeEventListener('online', now);
}
