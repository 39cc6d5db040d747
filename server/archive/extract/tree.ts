import { extensionOf } from '#server/text/extension.ts';
import { aroundNumber, nameKey, repairName } from '#server/text/names.ts';
import type { Entry } from '../read/directory.ts';
import { MAX_ENTRIES, tooMany } from '../read/directory.ts';

export interface PlannedFolder {
  name: string;
  /** Index of the folder it lies in; -1 at the top. */
  parent: number;
}

export interface PlannedFile {
  name: string;
  type: string;
  /** Index of the folder it lies in; -1 at the top. */
  folder: number;
  entry: Entry;
}

export interface PlannedTree {
  /** A folder comes before what it holds. */
  folders: PlannedFolder[];
  /** In the order of their bytes in the archive. */
  files: PlannedFile[];
  /** Of all files, plain. */
  bytes: number;
}

// Longer than any name may be: cleaning costs time, so what would be cut off is cut off before.
const LONG = 1024;

/** Grows a plan: makes each folder once, in whatever case it is written, and numbers files of the same name. */
export function createTree(plan: PlannedTree) {
  const folders = new Map<string, number>();
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  /** Clean names by the raw ones, since an archive repeats its folders in every entry. */
  const cleaned = new Map<string, string>();

  const keyOf = (parent: number, name: string): string => `${parent}/${nameKey(name)}`;

  function grow(): void {
    // Twice as many, since folders need not be entries of their own.
    if (plan.folders.length + plan.files.length >= 2 * MAX_ENTRIES) throw tooMany();
  }

  function clean(raw: string): string {
    const known = cleaned.get(raw);
    if (known !== undefined) return known;
    const name = repairName(short(raw));
    if (raw.length <= LONG) cleaned.set(raw, name);
    return name;
  }

  /** The first free `name (2)`. It goes on from the last number given, so that 65,536 of a name take no longer. */
  function free(parent: number, name: string): string {
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

    /** The index of the folder that these names lead to; -1 for the top. */
    folder(path: readonly string[]): number {
      let parent = -1;
      for (const part of path) {
        const name = clean(part);
        const key = keyOf(parent, name);
        const index = folders.get(key);
        if (index === undefined) {
          grow();
          parent = plan.folders.push({ name, parent }) - 1;
          folders.set(key, parent);
          taken.add(key);
        } else parent = index;
      }
      return parent;
    },

    /** To be called once all folders are there. */
    file(folder: number, wanted: string, entry: Entry): void {
      grow();
      const name = free(folder, wanted);
      taken.add(keyOf(folder, name));
      plan.files.push({ name, type: extensionOf(name), folder, entry });
      plan.bytes += entry.size;
    },
  };
}

/** Keeps a short ending, which may be the file's type. */
function short(name: string): string {
  if (name.length <= LONG) return name;
  const dot = name.lastIndexOf('.');
  const tail = dot >= 0 && name.length - dot <= 16 ? name.slice(dot) : '';
  return name.slice(0, LONG - tail.length) + tail;
}
