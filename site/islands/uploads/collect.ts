import { isSystemFile } from './check.ts';

export interface CollectedFile {
  /** Names of its folders, outermost first; empty for a single file. */
  path: readonly string[];
  file: File;
}

export interface Collected {
  files: CollectedFile[];
  /** Empty folders, which are created too. */
  emptyFolders: (readonly string[])[];
  /** System files, which are not uploaded: the names of their folders and their own. */
  systemFiles: (readonly string[])[];
}

/** A dropped file or folder, as in `FileSystemEntry`. */
export interface Entry {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly name: string;
}
interface FileEntry extends Entry {
  file(resolve: (file: File) => void, reject: (error: unknown) => void): void;
}
interface FolderEntry extends Entry {
  createReader(): {
    readEntries(resolve: (entries: Entry[]) => void, reject: (error: unknown) => void): void;
  };
}

/** All files and empty folders below the dropped entries. Rejects if one of them cannot be read. */
export async function collectEntries(entries: readonly Entry[]): Promise<Collected> {
  const collected: Collected = { files: [], emptyFolders: [], systemFiles: [] };
  for (const entry of entries) await walk(entry, [], collected);
  return collected;
}

async function walk(entry: Entry, path: readonly string[], into: Collected): Promise<void> {
  if (isSystemFile([entry.name])) {
    into.systemFiles.push([...path, entry.name]);
    return;
  }
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileEntry).file(resolve, reject));
    into.files.push({ path, file });
    return;
  }
  const folderPath = [...path, entry.name];
  const children = await childrenOf(entry as FolderEntry);
  // A folder that contains only system files looks empty to the user.
  if (children.every(({ name }) => isSystemFile([name]))) into.emptyFolders.push(folderPath);
  for (const child of children) await walk(child, folderPath, into);
}

async function childrenOf(folder: FolderEntry): Promise<Entry[]> {
  const reader = folder.createReader();
  const all: Entry[] = [];
  // One call returns at most a hundred entries; the last one returns none.
  for (;;) {
    const batch = await new Promise<Entry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}

/** The files of a file input; with `webkitdirectory` each has a path. */
export function collectChosen(files: Iterable<File>): Collected {
  const all = Array.from(files, (file): CollectedFile => {
    const path = (file.webkitRelativePath ?? '').split('/').slice(0, -1);
    return { path, file };
  });
  const isUploaded = ({ path, file }: CollectedFile) => !isSystemFile([...path, file.name]);
  const systemFiles = all.filter((file) => !isUploaded(file)).map(({ path, file }) => [...path, file.name]);
  return { files: all.filter(isUploaded), emptyFolders: [], systemFiles };
}

/** The files and folders of a drop. To be called during the event: afterwards the browser clears the list. */
export function collectDrop(transfer: DataTransfer): Promise<Collected> {
  const items = Array.from(transfer.items).filter((item) => item.kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  if (entries.some((entry) => entry === null)) return Promise.resolve(collectChosen(transfer.files));
  return collectEntries(entries as Entry[]);
}
