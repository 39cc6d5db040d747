import { createYielding } from '../read/yield.ts';
import type { Entry } from '../read/directory.ts';
import { ArchiveRefused, shown, unsafe } from '../read/refusal.ts';
import type { PlannedTree } from './tree.ts';
import { createTree } from './tree.ts';
import { refusedFile } from '#server/documents/contract.ts';

const MAX_LEVELS = 100;

export interface Skipped {
  path: string;
  reason: string;
}

export interface Plan extends PlannedTree {
  /** The first entries that are left out, and the number of all of them. */
  skipped: Skipped[];
  skippedCount: number;
}

const MAX_SKIPPED_LISTED = 1000;
/** File types of a Unix mode. */
const SYMLINK = 0xa000;
const REGULAR = 0x8000;
const DIRECTORY = 0x4000;
/** Files that operating systems create by themselves. */
const IGNORED = new Set(['.ds_store', 'thumbs.db', 'desktop.ini']);
const DRIVE = /^[a-z]:([/\\]|$)/i;
/** The highest compression ratio of Deflate. */
const MAX_DEFLATE_RATIO = 1032;

/**
 * Plans the extraction of an archive: its folders, its files under valid and unique names, and the entries that are left out with reasons.
 * @throws {ArchiveRefused} if an entry points outside of the archive's root, is a link or device, or is nested too deeply.
 */
export async function planOf(entries: readonly Entry[]): Promise<Plan> {
  const plan: Plan = { folders: [], files: [], skipped: [], skippedCount: 0, bytes: 0 };
  const tree = createTree(plan);
  const yieldIfDue = createYielding();
  const files: { entry: Entry; path: string[] }[] = [];

  function skip(entry: Entry, reason: string): void {
    plan.skippedCount += 1;
    if (plan.skipped.length < MAX_SKIPPED_LISTED)
      plan.skipped.push({ path: shown(entry.name).slice(1, -1), reason });
  }

  for (const entry of entries) {
    requireOrdinary(entry);
    const path = pathOf(entry.name);
    const last = path.at(-1);
    if (path.some((part) => part.toLowerCase() === '__macosx')) continue;
    if (last === undefined) {
      // `./` is the root itself.
      if (!entry.isFolder) skip(entry, 'It has no name.');
      continue;
    }
    if (entry.isFolder) tree.folder(path);
    else if (!IGNORED.has(last.toLowerCase())) files.push({ entry, path });
    await yieldIfDue();
  }
  const accepted: { entry: Entry; folder: number; name: string }[] = [];
  for (const { entry, path } of files) {
    const name = tree.clean(path.at(-1)!);
    const reason = refusedFile(name, entry.size);
    if (reason) skip(entry, reason);
    else accepted.push({ entry, name, folder: tree.folder(path.slice(0, -1)) });
    await yieldIfDue();
  }
  // All folders exist by now, so no file takes the name of one.
  for (const { entry, folder, name } of accepted) {
    tree.file(folder, name, entry);
    await yieldIfDue();
  }
  return plan;
}

function requireOrdinary({ kind, name, size, compressedSize, method, encryption }: Entry): void {
  if (kind === SYMLINK) throw unsafe(`${shown(name)} is a link, which can point outside it`);
  if (kind !== 0 && kind !== REGULAR && kind !== DIRECTORY)
    throw unsafe(`${shown(name)} is not an ordinary file`);
  const hasImpossibleSize =
    (method === 8 && size > (compressedSize + 1) * MAX_DEFLATE_RATIO) ||
    (method === 0 && !encryption && size !== compressedSize);
  if (hasImpossibleSize)
    throw new ArchiveRefused('damaged', `This ZIP is damaged: ${shown(name)} cannot have the size it says.`);
}

/** Splits the name of an entry, which must not point outside of the archive. Old versions of .NET write backslashes. */
function pathOf(name: string): string[] {
  const outside = () => unsafe(`${shown(name)} lies outside its own folder`);
  if (/^[/\\]/.test(name) || DRIVE.test(name)) throw outside();
  const path: string[] = [];
  for (const part of name.split(/[/\\]/)) {
    if (part === '..') throw outside();
    if (part !== '' && part !== '.') path.push(part);
  }
  if (path.length > MAX_LEVELS) {
    throw new ArchiveRefused(
      'too_deep',
      `This ZIP has folders more than ${MAX_LEVELS} levels deep. Unpack it on your computer and upload what you need.`,
    );
  }
  return path;
}
