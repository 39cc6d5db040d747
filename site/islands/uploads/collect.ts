import { isLeftover } from './check.ts';

export interface Found {
  /** Names of the folders it was in, outermost first; empty for a file chosen by itself. */
  path: readonly string[];
  file: File;
}

export interface Collected {
  files: Found[];
  /** Empty folders, which are also created. */
  emptyFolders: (readonly string[])[];
  /** Paths of system files, which are not uploaded. */
  leftOut: (readonly string[])[];
}

/** The used part of `FileSystemEntry`. */
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

/** Collects everything below the dropped entries. Rejects if one of them cannot be read. */
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
  // A folder with only system files counts as empty.
  if (children.every(({ name }) => isLeftover([name]))) into.emptyFolders.push(here);
  for (const child of children) await walk(child, here, into);
}

async function childrenOf(folder: FolderEntry): Promise<Entry[]> {
  const reader = folder.createReader();
  const all: Entry[] = [];
  // `readEntries` returns at most a hundred entries per call, and none at the end.
  for (;;) {
    const some = await new Promise<Entry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** The files of a file input; a directory input provides each file's path. */
export function collectChosen(files: Iterable<File>): Collected {
  const found = Array.from(files, (file): Found => {
    const path = (file.webkitRelativePath ?? '').split('/').slice(0, -1);
    return { path, file };
  });
  const isOurs = ({ path, file }: Found) => !isLeftover([...path, file.name]);
  const leftOut = found.filter((one) => !isOurs(one)).map(({ path, file }) => [...path, file.name]);
  return { files: found.filter(isOurs), emptyFolders: [], leftOut };
}

/** The files and folders of a drop. Call it synchronously: the browser clears the list when the event handler returns. */
export function collectDrop(transfer: DataTransfer): Promise<Collected> {
  const items = Array.from(transfer.items).filter((item) => item.kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  if (entries.some((entry) => entry === null)) return Promise.resolve(collectChosen(transfer.files));
  return collectEntries(entries as Entry[]);
}
