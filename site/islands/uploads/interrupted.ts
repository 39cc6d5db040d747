import { atom } from 'nanostores';
import { $session } from '../../lib/session.ts';
import type { Collected, Found } from './collect.ts';
import type { NewUpload } from './record.ts';
import { throttle } from '../../lib/throttle.ts';
import { queue, upload } from './uploads.ts';

/** A file that was not there yet when the page was left: what is needed to know it again, and where it was going. */
export interface Interrupted {
  name: string;
  size: number;
  lastModified: number;
  path: readonly string[];
  parentId: number | null;
  clientId: number | null;
  extractZip: boolean;
}

/** Until they are chosen again or dismissed. */
export const $interrupted = atom<readonly Interrupted[]>([]);

const KEY = 'interrupted-uploads';
/** The session's storage is small, and nobody chooses more files by hand. */
const MOST_KEPT = 1000;
/** Milliseconds: a page that crashes does not say so. */
const KEPT_EVERY = 1000;

const noteOf = (source: NewUpload): Interrupted => ({
  name: source.file.name,
  size: source.file.size,
  lastModified: source.file.lastModified,
  path: source.path ?? [],
  parentId: source.root ?? null,
  clientId: source.clientId,
  extractZip: source.extractZip ?? false,
});
const isIt = (file: File) => (one: Interrupted) =>
  one.name === file.name && one.size === file.size && one.lastModified === file.lastModified;

function keep(): void {
  const { user } = $session.get();
  const underWay = queue.unfinished().filter(({ folder }) => !folder);
  const files = [...underWay.map(noteOf), ...$interrupted.get()].slice(0, MOST_KEPT);
  try {
    if (files.length > 0 && user) sessionStorage.setItem(KEY, JSON.stringify({ user: user.id, files }));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage can be forbidden; then a reload forgets.
  }
}

function recall(userId: number): Interrupted[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as {
      user: number;
      files: Interrupted[];
    } | null;
    return kept?.user === userId && Array.isArray(kept.files) ? kept.files : [];
  } catch {
    return [];
  }
}

/** Keeps what a reload would interrupt, and recalls what the last one did. @returns what ends it. */
export function watchInterrupted(): () => void {
  let known = false;
  const keepSoon = throttle(() => known && keep(), KEPT_EVERY);
  const unfollow = $session.subscribe(({ user }) => {
    if (!user || known) return;
    known = true;
    $interrupted.set(recall(user.id));
  });
  const unlisten = [
    queue.$uploads.listen((uploads) => {
      if (!known) return;
      if ($interrupted.get().length > 0 && uploads.length > 0) {
        const again = queue.unfinished().map(({ file }) => isIt(file));
        const left = $interrupted.get().filter((one) => !again.some((is) => is(one)));
        if (left.length < $interrupted.get().length) $interrupted.set(left);
      }
      keepSoon();
    }),
    $interrupted.listen(keepSoon),
  ];
  const now = () => known && keep();
  addEventListener('pagehide', now);
  return () => {
    unfollow();
    for (const end of unlisten) end();
    keepSoon.cancel();
    removeEventListener('pagehide', now);
  };
}

/** Uploads those of the files that were interrupted, each to where it was going. @returns the names of the others. */
export function goOnWith(files: readonly File[]): string[] {
  const others: string[] = [];
  const targets = new Map<string, { of: Interrupted; files: Found[] }>();
  for (const file of files) {
    const one = $interrupted.get().find(isIt(file));
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
