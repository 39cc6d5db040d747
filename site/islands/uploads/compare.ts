import type { Taken } from '#server/documents/contract.ts';
import { sortKey } from '#server/text/sort-key.ts';
import { api } from '../../lib/api.ts';
import type { CollectedFile } from './collect.ts';
import type { NameConflict } from '../name-conflicts/questions.ts';
import { conflictQuestions } from '../name-conflicts/questions.ts';
import type { Verdict } from './record.ts';

/** Files per call of the server. */
const FILES_PER_CALL = 1000;
/** Larger files are not hashed, since a browser hashes only what is in memory. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024;

/** The existing items with the names of the files, by index in `files`. */
export async function compare(
  files: readonly { path: CollectedFile['path']; file: NameConflict['file'] }[],
  parentId: number | null,
): Promise<Map<number, Taken>> {
  const taken = new Map<number, Taken>();
  for (let from = 0; from < files.length; from += FILES_PER_CALL) {
    const part = files.slice(from, from + FILES_PER_CALL);
    const names = part.map(({ path, file }) => ({ path, name: file.name, size: file.size }));
    const existing = await api.post<Taken[]>('/api/documents/compare', { parent_id: parentId, files: names });
    for (const item of existing) taken.set(from + item.index, item);
  }
  return taken;
}

/** A key for the order of a tree: folder by folder, each in natural order. */
const orderInTree = ({ path = [], file }: NameConflict): string =>
  [...path, file.name].map(sortKey).join('\0');

/** Whether the file has the content of the existing one; false if that is unknown. */
export async function hasSameContent(file: File, { sha256 }: Pick<Taken, 'sha256'>): Promise<boolean> {
  // Browsers offer `crypto.subtle` only to pages over HTTPS or from localhost.
  if (sha256 === null || file.size > MAX_HASHED_BYTES || !globalThis.crypto?.subtle) return false;
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('') === sha256;
}

/** The existing file with the same name and content; null if there is none or that is unknown. */
export async function findSameContent(file: File, parentId: number | null): Promise<Taken | null> {
  try {
    const existing = (await compare([{ path: [], file }], parentId)).get(0);
    return existing && (await hasSameContent(file, existing)) ? existing : null;
  } catch {
    return null;
  }
}

/**
 * Decides what to do with each file whose name is taken: one question for all, without those that have the same content.
 * If the server cannot be asked, both files are kept. Null if the user cancels the upload.
 */
export async function resolveConflicts(
  files: readonly CollectedFile[],
  parentId: number | null,
): Promise<ReadonlyMap<number, Verdict> | null> {
  const verdicts = new Map<number, Verdict>();
  const taken = await compare(files, parentId).catch(() => new Map<number, Taken>());
  const unresolved: [number, NameConflict][] = [];
  for (const [index, existing] of taken) {
    const { file } = files[index]!;
    // A file that cannot be read fails, with its message, when it is sent.
    const same = await hasSameContent(file, existing).catch(() => false);
    if (same) verdicts.set(index, { alreadyThere: true });
    else unresolved.push([index, { file, existing, path: files[index]!.path }]);
  }
  if (unresolved.length === 0) return verdicts;
  const orderOf = new Map(unresolved.map(([index, conflict]) => [index, orderInTree(conflict)]));
  unresolved.sort(([a], [b]) => (orderOf.get(a)! < orderOf.get(b)! ? -1 : 1));
  const conflicts = unresolved.map(([, conflict]) => conflict);
  const choices = await conflictQuestions.ask({
    conflicts,
    sameContent: verdicts.size,
    others: files.length - taken.size,
  });
  if (choices === null) return null;
  for (const [position, [index]] of unresolved.entries()) {
    const choice = choices[position] ?? 'keep';
    verdicts.set(index, choice === 'skip' ? 'skip' : { conflict: choice === 'replace' ? 'replace' : 'keep' });
  }
  return verdicts;
}
