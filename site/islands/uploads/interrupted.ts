import { atom } from 'nanostores';
import { $session } from '../../lib/session.ts';
import type { Collected, Found } from './collect.ts';
import type { NewUpload } from './record.ts';
import { throttle } from '../../lib/throttle.ts';
import { queue, upload } from './uploads.ts';

/** A file whose upload a reload interrupted: the properties that identify it, and its destination. */
export interface Interrupted {
  name: string;
  size: number;
  lastModified: number;
  path: readonly string[];
  parentId: number | null;
  clientId: number | null;
  extractZip: boolean;
}

/** The interrupted files, until they are chosen again or dismissed. */
export const $interrupted = atom<readonly Interrupted[]>([]);

const KEY = 'interrupted-uploads';
/** Session storage is small, and nobody selects more files by hand. */
const MAX_STORED = 1000;
/** The list is also stored at this interval, since a crash fires no `pagehide`. */
const STORE_INTERVAL_MS = 1000;

const interruptedOf = (source: NewUpload): Interrupted => ({
  name: source.file.name,
  size: source.file.size,
  lastModified: source.file.lastModified,
  path: source.path ?? [],
  parentId: source.root ?? null,
  clientId: source.clientId,
  extractZip: source.extractZip ?? false,
});
const isSameFile = (file: File) => (one: Interrupted) =>
  one.name === file.name && one.size === file.size && one.lastModified === file.lastModified;

function store(): void {
  const { user } = $session.get();
  const unfinished = queue.unfinished().filter(({ folder }) => !folder);
  const files = [...unfinished.map(interruptedOf), ...$interrupted.get()].slice(0, MAX_STORED);
  try {
    if (files.length > 0 && user) sessionStorage.setItem(KEY, JSON.stringify({ user: user.id, files }));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage nothing survives a reload.
  }
}

function load(userId: number): Interrupted[] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as {
      user: number;
      files: Interrupted[];
    } | null;
    return stored?.user === userId && Array.isArray(stored.files) ? stored.files : [];
  } catch {
    return [];
  }
}

/** Stores the unfinished uploads, and loads those that the last reload interrupted. @returns a function that stops it. */
export function watchInterrupted(): () => void {
  let isLoaded = false;
  const storeThrottled = throttle(() => isLoaded && store(), STORE_INTERVAL_MS);
  const unsubscribeSession = $session.subscribe(({ user }) => {
    if (!user || isLoaded) return;
    isLoaded = true;
    $interrupted.set(load(user.id));
  });
  const unsubscribes = [
    queue.$uploads.listen((uploads) => {
      if (!isLoaded) return;
      if ($interrupted.get().length > 0 && uploads.length > 0) {
        const isResumed = queue.unfinished().map(({ file }) => isSameFile(file));
        const remaining = $interrupted.get().filter((one) => !isResumed.some((is) => is(one)));
        if (remaining.length < $interrupted.get().length) $interrupted.set(remaining);
      }
      storeThrottled();
    }),
    $interrupted.listen(storeThrottled),
  ];
  const onPageHide = () => isLoaded && store();
  addEventListener('pagehide', onPageHide);
  return () => {
    unsubscribeSession();
    for (const unsubscribe of unsubscribes) unsubscribe();
    storeThrottled.cancel();
    removeEventListener('pagehide', onPageHide);
  };
}

/** Uploads interrupted files again, each to its destination. @returns the names of files that were not interrupted. */
export function resumeInterrupted(files: readonly File[]): string[] {
  const others: string[] = [];
  const targets = new Map<string, { of: Interrupted; files: Found[] }>();
  for (const file of files) {
    const one = $interrupted.get().find(isSameFile(file));
    if (!one) {
      others.push(file.name);
      continue;
    }
    const { parentId, clientId, extractZip } = one;
    const key = JSON.stringify([parentId, clientId, extractZip]);
    const target = targets.get(key) ?? { of: one, files: [] };
    targets.set(key, target);
    target.files.push({ path: one.path, file });
  }
  for (const { of, files: found } of targets.values()) {
    const collected: Collected = { files: found, emptyFolders: [], leftOut: [] };
    upload(collected, { parentId: of.parentId, clientId: of.clientId, extractZip: of.extractZip });
  }
  return others;
}
