import { atom } from 'nanostores';
import { $session } from '../../lib/session.ts';
import type { CollectedFile } from './collect.ts';
import type { NewUpload, VersionOf } from './record.ts';
import { throttle } from '../../lib/throttle.ts';
import type { Target } from './uploads.ts';
import { queue, upload } from './uploads.ts';

/** An unfinished upload of an earlier page: what identifies its file, and its target. */
interface Interrupted {
  name: string;
  size: number;
  lastModified: number;
  path: readonly string[];
  parentId: number | null;
  clientId: number | null;
  extractZip: boolean;
  versionOf?: VersionOf | null;
}

/** Interrupted uploads, until their files are chosen again or they are dismissed. */
export const $interrupted = atom<readonly Interrupted[]>([]);

const KEY = 'interrupted-uploads';
/** A limit, since sessionStorage is small and nobody chooses more files again by hand. */
const MAX_STORED = 1000;
/** Milliseconds between two saves, since a page that crashes has no chance to save. */
const SAVE_INTERVAL_MS = 1000;

const interruptedOf = (source: NewUpload): Interrupted => ({
  name: source.file.name,
  size: source.file.size,
  lastModified: source.file.lastModified,
  path: source.path ?? [],
  parentId: source.root ?? null,
  clientId: source.clientId,
  extractZip: source.extractZip ?? false,
  versionOf: source.versionOf ?? null,
});
const isFileOf = (file: File) => (upload: Pick<Interrupted, 'name' | 'size' | 'lastModified'>) =>
  upload.name === file.name && upload.size === file.size && upload.lastModified === file.lastModified;

function save(): void {
  const { user } = $session.get();
  const unfinished = queue.unfinished().filter(({ folder }) => !folder);
  const files = [...unfinished.map(interruptedOf), ...$interrupted.get()].slice(0, MAX_STORED);
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
  const unlisteners = [
    queue.$uploads.listen((uploads) => {
      if (!isLoaded) return;
      if ($interrupted.get().length > 0 && uploads.length > 0) {
        const restarted = queue.unfinished().map(({ file }) => isFileOf(file));
        const remaining = $interrupted.get().filter((upload) => !restarted.some((isFile) => isFile(upload)));
        if (remaining.length < $interrupted.get().length) $interrupted.set(remaining);
      }
      saveSoon();
    }),
    $interrupted.listen(saveSoon),
  ];
  const saveNow = () => isLoaded && save();
  addEventListener('pagehide', saveNow);
  return () => {
    unsubscribe();
    for (const unlisten of unlisteners) unlisten();
    saveSoon.cancel();
    removeEventListener('pagehide', saveNow);
  };
}

/**
 * Uploads the files that were interrupted, each to its targets: a copy in another folder is the same file.
 * @returns the names of the others.
 */
export function resumeWith(files: readonly File[]): string[] {
  const targets = new Map<string, Target & { files: CollectedFile[] }>();
  const versions: NewUpload[] = [];
  for (const { path, parentId, clientId, extractZip, versionOf, ...identity } of $interrupted.get()) {
    const file = files.find((chosen) => isFileOf(chosen)(identity));
    if (!file) continue;
    if (versionOf) {
      versions.push({ file, parentId, clientId, versionOf });
      continue;
    }
    const key = JSON.stringify([parentId, clientId, extractZip]);
    const target = targets.get(key) ?? { parentId, clientId, extractZip, files: [] };
    targets.set(key, target);
    target.files.push({ path, file });
  }
  const others = files.filter((file) => !$interrupted.get().some(isFileOf(file)));
  queue.add(versions);
  for (const { files: resumed, ...target } of targets.values())
    upload({ files: resumed, emptyFolders: [], systemFiles: [] }, target);
  return others.map(({ name }) => name);
}
