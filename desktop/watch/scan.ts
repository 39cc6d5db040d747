import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SeenFile } from '#desktop/queue/files.ts';

/** Files handed over at once. */
const BATCH = 500;
/** A folder whose time is this near may get another file within the same tick of its clock (FAT counts two seconds). */
const COARSE_MS = 4000;

export interface Scan {
  path: string;
  /** False where sub-folders are left alone. */
  deep: boolean;
  leftOut: (subPath: string, name: string) => boolean;
  found: (files: SeenFile[]) => void;
  /** Told before a folder is read. */
  entering?: (folder: string) => void;
  /** Told after it was read. */
  holds?: (folder: string, names: ReadonlySet<string>) => void;
  /** Times of folders as they were when they were last read; those that have not changed are not read again. */
  unchanged?: Map<string, number>;
  signal?: AbortSignal;
}

export interface Scanned {
  /** Every folder that is watched, by path. */
  folders: Map<string, number>;
  files: number;
}

/**
 * Goes through a folder. One that cannot be read holds up no other.
 * @throws when the watched folder itself is not there (a share that is away), so that nobody takes it for empty.
 */
export async function scan({
  path,
  deep,
  leftOut,
  found,
  entering,
  holds,
  unchanged,
  signal,
}: Scan): Promise<Scanned> {
  const folders = new Map<string, number>();
  let files = 0;
  let batch: SeenFile[] = [];
  let lastTime: Map<string, string[]> | undefined;
  const flush = () => {
    if (batch.length > 0) found(batch);
    batch = [];
  };
  const rest: [subPath: string, path: string][] = [['', path]];
  for (let at = 0; at < rest.length; at += 1) {
    signal?.throwIfAborted();
    const [subPath, folder] = rest[at]!;
    try {
      entering?.(folder);
      const changed = (await stat(folder)).mtimeMs;
      const names = new Set<string>();
      const known = unchanged?.get(folder) === changed;
      folders.set(folder, Date.now() - changed < COARSE_MS ? NaN : changed);
      if (known) {
        // Its entries are those of the last time: only the folders below may have changed.
        for (const below of (deep && (lastTime ??= byFolder(unchanged!)).get(folder)) || [])
          rest.push([longer(subPath, basename(below)), below]);
        continue;
      }
      for await (const entry of await opendir(folder)) {
        if (leftOut(subPath, entry.name)) continue;
        names.add(entry.name);
        const whole = join(folder, entry.name);
        if (entry.isDirectory()) {
          if (deep) rest.push([longer(subPath, entry.name), whole]);
        } else if (isFile(entry)) {
          const look = await stat(whole).catch(() => null);
          if (!look?.isFile() || look.size === 0) continue;
          files += 1;
          batch.push({ path: whole, sub_path: subPath, size: look.size, changed_at: look.mtimeMs });
          if (batch.length >= BATCH) flush();
        }
      }
      holds?.(folder, names);
    } catch (error) {
      signal?.throwIfAborted();
      if (at === 0) throw error;
    }
  }
  flush();
  return { folders, files };
}

const longer = (subPath: string, name: string): string => (subPath === '' ? name : `${subPath}/${name}`);
/** A link to a file may lead anywhere, out of the folder that the person chose. */
const isFile = (entry: Dirent): boolean => entry.isFile();

/** The folders by the one that each lies in, so that a scan of thousands looks at each once; a drive lies in none. */
const byFolder = (folders: ReadonlyMap<string, unknown>): Map<string, string[]> =>
  Map.groupBy(
    [...folders.keys()].filter((path) => dirname(path) !== path),
    (path) => dirname(path),
  );
