import { extensionOf } from '#server/text/extension.ts';
import { aroundNumber, nameKey, repairName } from '#server/text/file-names.ts';
import type { Entry } from '../read/directory.ts';
import { MAX_READ_ENTRIES, tooMany } from '../read/directory.ts';

interface PlannedFolder {
  name: string;
  /** The index of the containing folder; -1 for the root. */
  parent: number;
}

export interface PlannedFile {
  name: string;
  type: string;
  /** The index of the containing folder; -1 for the root. */
  folder: number;
  entry: Entry;
}

export interface PlannedTree {
  /** A folder precedes its contents. */
  folders: PlannedFolder[];
  /** Ordered by position in the archive. */
  files: PlannedFile[];
  /** The unpacked size of all files. */
  bytes: number;
}

// Longer than any valid name. Longer ones are cut before the name is repaired, which takes time.
const MAX_RAW_LENGTH = 1024;

/** Builds the tree of a plan: each folder once, ignoring case, and numbered names for files of the same name. */
export function createTree(plan: PlannedTree) {
  const folders = new Map<string, number>();
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  /** Repaired names by raw names, since an archive repeats its folders in every entry. */
  const cleaned = new Map<string, string>();

  const keyOf = (parent: number, name: string): string => `${parent}/${nameKey(name)}`;

  function requireRoom(): void {
    // Twice the limit of entries, since folders need no entries of their own.
    if (plan.folders.length + plan.files.length >= 2 * MAX_READ_ENTRIES) throw tooMany();
  }

  function clean(raw: string): string {
    const known = cleaned.get(raw);
    if (known !== undefined) return known;
    const name = repairName(shorten(raw));
    if (raw.length <= MAX_RAW_LENGTH) cleaned.set(raw, name);
    return name;
  }

  /** The first free name of the form `name (2)`. It continues from the last number, so that 65,536 equal names stay fast. */
  function freeName(parent: number, name: string): string {
    const base = keyOf(parent, name);
    if (!taken.has(base)) return name;
    const { head, tail } = aroundNumber(name);
    let number = numbers.get(base) ?? 2;
    while (taken.has(keyOf(parent, `${head} (${number})${tail}`))) number += 1;
    numbers.set(base, number + 1);
    return `${head} (${number})${tail}`;
  }

  return {
    clean,

    /** The index of the folder with this path, which is created if needed; -1 for the root. */
    folder(path: readonly string[]): number {
      let parent = -1;
      for (const part of path) {
        const name = clean(part);
        const key = keyOf(parent, name);
        const index = folders.get(key);
        if (index === undefined) {
          requireRoom();
          parent = plan.folders.push({ name, parent }) - 1;
          folders.set(key, parent);
          taken.add(key);
        } else parent = index;
      }
      return parent;
    },

    /** Adds a file. All folders must have been added before. */
    file(folder: number, wanted: string, entry: Entry): void {
      requireRoom();
      const name = freeName(folder, wanted);
      taken.add(keyOf(folder, name));
      plan.files.push({ name, type: extensionOf(name), folder, entry });
      plan.bytes += entry.size;
    },
  };
}

/** Cuts a long name, but keeps a short ending, which may be the file's type. */
function shorten(name: string): string {
  if (name.length <= MAX_RAW_LENGTH) return name;
  const dot = name.lastIndexOf('.');
  const tail = dot >= 0 && name.length - dot <= 16 ? name.slice(dot) : '';
  return name.slice(0, MAX_RAW_LENGTH - tail.length) + tail;
}
