import type { Taken } from '#server/documents/contract.ts';
import { api } from '../../lib/api.ts';
import { createQuestionQueue } from '../../lib/questionQueue.ts';
import type { Found } from './collect.ts';
import type { Verdict } from './record.ts';

export const CHOICES = ['keep', 'replace', 'skip'] as const;
export type Choice = (typeof CHOICES)[number];

/** A file that meets something of its name, or an item that is to be moved. */
export interface Meeting {
  /** `lastModified` in milliseconds. */
  file: Pick<File, 'name' | 'size' | 'lastModified'> & { folder?: boolean };
  there: Taken;
}

export interface Conflicts {
  meetings: readonly Meeting[];
  /** How many more are there already with the same content, and are left out. */
  same: number;
  /** They are moved, not uploaded. */
  moving?: boolean;
}

/** What to do with each of these, asked once for all of one upload; null when the whole upload is called off. */
export const conflicts = createQuestionQueue<Conflicts, readonly Choice[] | null>();

/** Files asked about in one call. */
const AT_ONCE = 1000;
/** A browser hashes what it has in memory. */
const HASHED_MAX = 256 * 1024 * 1024;

/** What stands where the files would go, by their place in the list. */
export async function compare(
  files: readonly { path: Found['path']; file: Meeting['file'] }[],
  parentId: number | null,
): Promise<Map<number, Taken>> {
  const taken = new Map<number, Taken>();
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const some = files.slice(from, from + AT_ONCE);
    const asked = some.map(({ path, file }) => ({ path, name: file.name, size: file.size }));
    const found = await api.post<Taken[]>('/api/documents/compare', { parent_id: parentId, files: asked });
    for (const one of found) taken.set(from + one.index, one);
  }
  return taken;
}

/** Whether the file holds what is there; false as well when it cannot be told. */
async function isSame(file: File, { sha256 }: Taken): Promise<boolean> {
  // Only pages that came over TLS or from this machine may hash.
  if (sha256 === null || file.size > HASHED_MAX || !globalThis.crypto?.subtle) return false;
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('') === sha256;
}

/** The file's own content under its own name, if that is there; null as well when it cannot be told. */
export async function findSame(file: File, parentId: number | null): Promise<Taken | null> {
  try {
    const there = (await compare([{ path: [], file }], parentId)).get(0);
    return there && (await isSame(file, there)) ? there : null;
  } catch {
    return null;
  }
}

/**
 * What to do with each file that meets something of its name: one question for all of them, and none for those whose
 * content is there already. Null when the upload is called off. What cannot be asked is kept beside what is there.
 */
export async function resolveConflicts(
  files: readonly Found[],
  parentId: number | null,
): Promise<ReadonlyMap<number, Verdict> | null> {
  const verdicts = new Map<number, Verdict>();
  const taken = await compare(files, parentId).catch(() => new Map<number, Taken>());
  const open: [number, Meeting][] = [];
  for (const [at, there] of taken) {
    const { file } = files[at]!;
    // A file that cannot be read fails when it is sent, and says so there.
    const same = await isSame(file, there).catch(() => false);
    if (same) verdicts.set(at, { alreadyThere: true });
    else open.push([at, { file, there }]);
  }
  if (open.length === 0) return verdicts;
  const meetings = open.map(([, meeting]) => meeting);
  const choices = await conflicts.ask({ meetings, same: verdicts.size });
  if (choices === null) return null;
  for (const [n, [at]] of open.entries()) {
    const choice = choices[n] ?? 'keep';
    verdicts.set(at, choice === 'skip' ? 'skip' : { conflict: choice });
  }
  return verdicts;
}
