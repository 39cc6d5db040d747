import { isLeftover } from './check.ts';

export interface Found {
  /** Names of the folders it was in, outermost first; empty for a file chosen by itself. */
  path: readonly string[];
  file: File;
}

export interface Collected {
  files: Found[];
  /** Folders that hold nothing, kept because they were there. */
  emptyFolders: (readonly string[])[];
  /** Files of the system that are not uploaded, each with its folders and its name. */
  leftOut: (readonly string[])[];
}

/** What the browser tells of a dropped file or folder; as `FileSystemEntry`, which also browsers without it can lack. */
export interface Entry {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly name: string;
}
interface FileEntry extends Entry {
  file(found: (file: File) => void, failed: (error: unknown) => void): void;
}
interface FolderEntry extends Entry {
  createReader(): { readEntries(found: (entries: Entry[]) => void, failed: (error: unknown) => void): void };
}

/** Everything below the dropped entries. Rejects when one of them can not be read. */
export async function collectEntries(entries: readonly Entry[]): Promise<Collected> {
  const collected: Collected = { files: [], emptyFolders: [], leftOut: [] };
  for (const entry of entries) await walk(entry, [], collected);
  return collected;
}

async function walk(entry: Entry, path: readonly string[], into: Collected): Promise<void> {
  if (isLeftover([entry.name])) {
    into.leftOut.push([...path, entry.name]);
    return;
  }
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileEntry).file(resolve, reject));
    into.files.push({ path, file });
    return;
  }
  const here = [...path, entry.name];
  const children = await childrenOf(entry as FolderEntry);
  // A folder whose only file was the system's is empty to whoever looks at it.
  if (children.every(({ name }) => isLeftover([name]))) into.emptyFolders.push(here);
  for (const child of children) await walk(child, here, into);
}

async function childrenOf(folder: FolderEntry): Promise<Entry[]> {
  const reader = folder.createReader();
  const all: Entry[] = [];
  // One call gives a hundred entries at most; the last one gives none.
  for (;;) {
    const some = await new Promise<Entry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** What a file input gives; one that chooses folders says the path of each file. */
export function collectChosen(files: Iterable<File>): Collected {
  const found = Array.from(files, (file): Found => {
    const path = (file.webkitRelativePath ?? '').split('/').slice(0, -1);
    return { path, file };
  });
  const isOurs = ({ path, file }: Found) => !isLeftover([...path, file.name]);
  const leftOut = found.filter((one) => !isOurs(one)).map(({ path, file }) => [...path, file.name]);
  return { files: found.filter(isOurs), emptyFolders: [], leftOut };
}

/** A drop's files and folders. Call it at once: the browser forgets the list when the event is over. */
export function collectDrop(transfer: DataTransfer): Promise<Collected> {
  const items = Array.from(transfer.items).filter((item) => item.kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  if (entries.some((entry) => entry === null)) return Promise.resolve(collectChosen(transfer.files));
  return collectEntries(entries as Entry[]);
}
