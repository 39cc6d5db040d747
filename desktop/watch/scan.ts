import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SeenFile } from '#desktop/queue/files.ts';

/** Files per batch. */
const BATCH = 500;
/** A folder changed this recently may change again within the resolution of its timestamp (two seconds on FAT). */
const COARSE_MS = 4000;

export interface Scan {
  path: string;
  /** False where sub-folders are ignored. */
  deep: boolean;
  isExcluded: (subPath: string, name: string) => boolean;
  onFiles: (files: SeenFile[]) => void;
  /** Called before a folder is read. */
  onEnter?: (folder: string) => void;
  /** Called after a folder was read. */
  onRead?: (folder: string, names: ReadonlySet<string>) => void;
  /** Modification times of folders at the last scan; unchanged folders are not read again. */
  unchanged?: Map<string, number>;
  signal?: AbortSignal;
}

export interface Scanned {
  /** All scanned folders, with their modification times. */
  folders: Map<string, number>;
  files: number;
}

/**
 * Scans a folder tree. A sub-folder that cannot be read is skipped.
 * @throws when the watched folder itself is missing (such as a share out of reach), so that it is not taken for
 * empty.
 */
export async function scan({
  path,
  deep,
  isExcluded,
  onFiles,
  onEnter,
  onRead,
  unchanged,
  signal,
}: Scan): Promise<Scanned> {
  const folders = new Map<string, number>();
  let files = 0;
  let batch: SeenFile[] = [];
  let lastByFolder: Map<string, string[]> | undefined;
  const flush = () => {
    signal?.throwIfAborted();
    if (batch.length > 0) onFiles(batch);
    batch = [];
  };
  const queue: [subPath: string, path: string][] = [['', path]];
  for (let index = 0; index < queue.length; index += 1) {
    signal?.throwIfAborted();
    const [subPath, folder] = queue[index]!;
    try {
      onEnter?.(folder);
      const changed = (await stat(folder)).mtimeMs;
      const names = new Set<string>();
      const isUnchanged = unchanged?.get(folder) === changed;
      folders.set(folder, Date.now() - changed < COARSE_MS ? NaN : changed);
      if (isUnchanged) {
        // The entries are those of the last scan; only sub-folders may have changed.
        for (const below of (deep && (lastByFolder ??= byFolder(unchanged!)).get(folder)) || [])
          queue.push([joinPath(subPath, basename(below)), below]);
        continue;
      }
      for await (const entry of await opendir(folder)) {
        if (isExcluded(subPath, entry.name)) continue;
        names.add(entry.name);
        const fullPath = join(folder, entry.name);
        if (entry.isDirectory()) {
          if (deep) queue.push([joinPath(subPath, entry.name), fullPath]);
        } else if (isFile(entry)) {
          const stats = await stat(fullPath).catch(() => null);
          if (!stats?.isFile() || stats.size === 0) continue;
          files += 1;
          batch.push({ path: fullPath, sub_path: subPath, size: stats.size, changed_at: stats.mtimeMs });
          if (batch.length >= BATCH) flush();
        }
      }
      signal?.throwIfAborted();
      onRead?.(folder, names);
    } catch (error) {
      signal?.throwIfAborted();
      if (index === 0) throw error;
    }
  }
  flush();
  return { folders, files };
}

const joinPath = (subPath: string, name: string): string => (subPath === '' ? name : `${subPath}/${name}`);
/** Symbolic links are not followed: they may lead out of the watched folder. */
const isFile = (entry: Dirent): boolean => entry.isFile();

/** Groups folders by parent, so that a scan visits each of thousands only once; a drive has no parent. */
const byFolder = (folders: ReadonlyMap<string, unknown>): Map<string, string[]> =>
  Map.groupBy(
    [...folders.keys()].filter((path) => dirname(path) !== path),
    (path) => dirname(path),
  );
