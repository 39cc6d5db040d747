import type { Taken } from '#server/documents/contract.ts';
import { api } from '../../lib/api.ts';
import { createQuestionQueue } from '../../lib/questionQueue.ts';
import type { Found } from './collect.ts';
import type { Verdict } from './record.ts';

export const CHOICES = ['keep', 'replace', 'skip'] as const;
export type Choice = (typeof CHOICES)[number];

/** A file to upload, or an item to move, whose name is taken in the target folder. */
export interface NameConflict {
  /** `lastModified` in milliseconds. */
  file: Pick<File, 'name' | 'size' | 'lastModified'> & { folder?: boolean };
  existing: Taken;
}

export interface Conflicts {
  conflicts: readonly NameConflict[];
  /** Number of further files that exist with the same content, and are skipped. */
  same: number;
  /** Items are moved, not uploaded. */
  moving?: boolean;
}

/** The dialog for the name conflicts of one upload or move; null if the user cancels everything. */
export const conflictQuestions = createQuestionQueue<Conflicts, readonly Choice[] | null>();

/** Files compared per request. */
const BATCH_SIZE = 1000;
/** Larger files are not hashed, since the browser must load them into memory. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024;

/** The existing items whose names the files would take, by the file's index. */
export async function compare(
  files: readonly { path: Found['path']; file: NameConflict['file'] }[],
  parentId: number | null,
): Promise<Map<number, Taken>> {
  const taken = new Map<number, Taken>();
  for (let from = 0; from < files.length; from += BATCH_SIZE) {
    const batch = files.slice(from, from + BATCH_SIZE);
    const names = batch.map(({ path, file }) => ({ path, name: file.name, size: file.size }));
    const found = await api.post<Taken[]>('/api/documents/compare', { parent_id: parentId, files: names });
    for (const one of found) taken.set(from + one.index, one);
  }
  return taken;
}

/** Whether the file has the content of the existing one; false if unknown. */
async function isSame(file: File, { sha256 }: Taken): Promise<boolean> {
  // Browsers provide `crypto.subtle` only in secure contexts.
  if (sha256 === null || file.size > MAX_HASHED_BYTES || !globalThis.crypto?.subtle) return false;
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('') === sha256;
}

/** The existing file of the same name and content; null if there is none, or if it is unknown. */
export async function findSame(file: File, parentId: number | null): Promise<Taken | null> {
  try {
    const existing = (await compare([{ path: [], file }], parentId)).get(0);
    return existing && (await isSame(file, existing)) ? existing : null;
  } catch {
    return null;
  }
}

/**
 * Decides about files whose names are taken: one question for all of them, and none for files whose content exists already.
 * Null if the user cancels the upload. If the comparison fails, conflicting files are kept beside the existing ones.
 */
export async function resolveConflicts(
  files: readonly Found[],
  parentId: number | null,
): Promise<ReadonlyMap<number, Verdict> | null> {
  const verdicts = new Map<number, Verdict>();
  const taken = await compare(files, parentId).catch(() => new Map<number, Taken>());
  const open: [number, NameConflict][] = [];
  for (const [at, existing] of taken) {
    const { file } = files[at]!;
    // The upload of an unreadable file fails later, with its own message.
    const same = await isSame(file, existing).catch(() => false);
    if (same) verdicts.set(at, { alreadyThere: true });
    else open.push([at, { file, existing }]);
  }
  if (open.length === 0) return verdicts;
  const conflicts = open.map(([, conflict]) => conflict);
  const choices = await conflictQuestions.ask({ conflicts, same: verdicts.size });
  if (choices === null) return null;
  for (const [n, [at]] of open.entries()) {
    const choice = choices[n] ?? 'keep';
    verdicts.set(at, choice === 'skip' ? 'skip' : { conflict: choice });
  }
  return verdicts;
}
