import { atom } from 'nanostores';
import { $session } from '../../lib/session.ts';
import type { Collected, Found } from './collect.ts';
import type { NewUpload } from './record.ts';
import { throttle } from '../../lib/throttle.ts';
import { queue, upload } from './uploads.ts';

/** An unfinished upload of an earlier page: what identifies its file, and its target. */
export interface Interrupted {
  name: string;
  size: number;
  lastModified: number;
  path: readonly string[];
  parentId: number | null;
  clientId: number | null;
  extractZip: boolean;
}

/** Interrupted uploads, until their files are chosen again or they are dismissed. */
export const $interrupted = atom<readonly Interrupted[]>([]);

const KEY = 'interrupted-uploads';
/** A limit, since sessionStorage is small and nobody chooses more files again by hand. */
const MAX_STORED = 1000;
/** Milliseconds between two saves, since a page that crashes has no chance to save. */
const SAVE_INTERVAL_MS = 1000;

const noteOf = (source: NewUpload): Interrupted => ({
  name: source.file.name,
  size: source.file.size,
  lastModified: source.file.lastModified,
  path: source.path ?? [],
  parentId: source.root ?? null,
  clientId: source.clientId,
  extractZip: source.extractZip ?? false,
});
const isFileOf = (file: File) => (one: Interrupted) =>
  one.name === file.name && one.size === file.size && one.lastModified === file.lastModified;

function save(): void {
  const { user } = $session.get();
  const unfinished = queue.unfinished().filter(({ folder }) => !folder);
  const files = [...unfinished.map(noteOf), ...$interrupted.get()].slice(0, MAX_STORED);
  try {
    if (files.length > 0 && user) sessionStorage.setItem(KEY, JSON.stringify({ user: user.id, files }));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage can be forbidden; then a reload loses the list.
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

/** Stores the uploads that a reload would interrupt, and loads those that the last one did. @returns unsubscribe. */
export function watchInterrupted(): () => void {
  let isLoaded = false;
  const saveSoon = throttle(() => isLoaded && save(), SAVE_INTERVAL_MS);
  const unsubscribe = $session.subscribe(({ user }) => {
    if (!user || isLoaded) return;
    isLoaded = true;
    $interrupted.set(load(user.id));
  });
  const unlisten = [
    queue.$uploads.listen((uploads) => {
      if (!isLoaded) return;
      if ($interrupted.get().length > 0 && uploads.length > 0) {
        const again = queue.unfinished().map(({ file }) => isFileOf(file));
        const left = $interrupted.get().filter((one) => !again.some((is) => is(one)));
        if (left.length < $interrupted.get().length) $interrupted.set(left);
      }
      saveSoon();
    }),
    $interrupted.listen(saveSoon),
  ];
  const saveNow = () => isLoaded && save();
  addEventListener('pagehide', saveNow);
  return () => {
    unsubscribe();
    for (const end of unlisten) end();
    saveSoon.cancel();
    removeEventListener('pagehide', saveNow);
  };
}

/** Uploads the files that were interrupted, each to its target. @returns the names of the others. */
export function resumeWith(files: readonly File[]): string[] {
  const others: string[] = [];
  const targets = new Map<string, { of: Interrupted; files: Found[] }>();
  for (const file of files) {
    const one = $interrupted.get().find(isFileOf(file));
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
