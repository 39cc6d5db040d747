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
  /** The first of what is left out, and how many there are. */
  skipped: Skipped[];
  skippedCount: number;
}

const LISTED = 1000;
const SYMLINK = 0xa000;
const REGULAR = 0x8000;
const DIRECTORY = 0x4000;
const LITTER = new Set(['.ds_store', 'thumbs.db', 'desktop.ini']);
const DRIVE = /^[a-z]:([/\\]|$)/i;
const DEFLATE_RATIO = 1032;

/**
 * What an archive becomes in the drive: folders, files under clean and different names, and what is left out and why.
 * @throws {ArchiveRefused} when an entry lies outside the archive's root, is a link or device, or lies too deep.
 */
export async function planOf(entries: readonly Entry[]): Promise<Plan> {
  const plan: Plan = { folders: [], files: [], skipped: [], skippedCount: 0, bytes: 0 };
  const tree = createTree(plan);
  const breathe = createYielding();
  const files: { entry: Entry; path: string[] }[] = [];

  function skip(entry: Entry, reason: string): void {
    plan.skippedCount += 1;
    if (plan.skipped.length < LISTED) plan.skipped.push({ path: shown(entry.name).slice(1, -1), reason });
  }

  for (const entry of entries) {
    refuseKind(entry);
    const path = pathOf(entry.name);
    const last = path.at(-1);
    if (path.some((part) => part.toLowerCase() === '__macosx')) continue;
    if (last === undefined) {
      // './' stands for the top itself.
      if (!entry.isFolder) skip(entry, 'It has no name.');
      continue;
    }
    if (entry.isFolder) tree.folder(path);
    else if (!LITTER.has(last.toLowerCase())) files.push({ entry, path });
    await breathe();
  }
  const kept: { entry: Entry; folder: number; name: string }[] = [];
  for (const { entry, path } of files) {
    const name = tree.clean(path.at(-1)!);
    const reason = refusedFile(name, entry.size);
    if (reason) skip(entry, reason);
    else kept.push({ entry, name, folder: tree.folder(path.slice(0, -1)) });
    await breathe();
  }
  // After all folders, so that a file never takes the name of one.
  for (const { entry, folder, name } of kept) {
    tree.file(folder, name, entry);
    await breathe();
  }
  return plan;
}

function refuseKind({ kind, name, size, compressedSize, method, encryption }: Entry): void {
  if (kind === SYMLINK) throw unsafe(`${shown(name)} is a link, which can point outside it`);
  if (kind !== 0 && kind !== REGULAR && kind !== DIRECTORY)
    throw unsafe(`${shown(name)} is not an ordinary file`);
  const lies =
    (method === 8 && size > (compressedSize + 1) * DEFLATE_RATIO) ||
    (method === 0 && !encryption && size !== compressedSize);
  if (lies)
    throw new ArchiveRefused('damaged', `This ZIP is damaged: ${shown(name)} cannot have the size it says.`);
}

/** The parts of a name, which must lie inside the archive. Old .NET writes backslashes. */
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
