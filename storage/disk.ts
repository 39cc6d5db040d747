import { mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobCorrupt, BlobMissing, StoreAway } from './blobs.ts';
import type { ByteReader, RewritableBytes } from './bytes.ts';
import { isBlobId } from './bytes.ts';
import { createDiskWriter, readable } from './diskwriter.ts';
import { flushFolder } from './durable.ts';

const TEMPORARY = 'tmp';
const isFanOut = (name: string): boolean => /^[0-9a-f]{2}$/.test(name);
const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

interface DiskOptions {
  /** Created if missing; its parent must exist. */
  root: string;
  /**
   * Whether to remove incomplete files left by a crash. False for a tool that runs beside a serving process, whose uploads in
   * progress look the same. Default true.
   */
  clean?: boolean;
  /**
   * For a store in which every existing file counts as complete, such as a backup that is continued: a power cut then leaves no
   * truncated file under its final name. It costs a second flush. Default false: a file that no row references is no blob.
   */
  flushFirst?: boolean;
}

/** All 256 folders are created at the start, so that a put creates none and flushes only its own folder. */
async function prepare(root: string, clean: boolean): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const present = new Set(await readdir(root));
  const wanted = [TEMPORARY, ...Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'))];
  const absent = wanted.filter((name) => !present.has(name));
  await Promise.all(absent.map((name) => mkdir(join(root, name), { recursive: true, mode: 0o700 })));
  if (absent.length > 0) {
    await flushFolder(root);
    await flushFolder(join(root, '..'));
  }
  if (!clean) return;
  const temporary = join(root, TEMPORARY);
  for (const name of await readdir(temporary)) await unlink(join(temporary, name));
}

/** A driver that stores each object in a separate file under `root`. */
export async function openDiskBytes({
  root,
  clean = true,
  flushFirst = false,
}: DiskOptions): Promise<RewritableBytes> {
  await prepare(root, clean).catch((error: unknown) => {
    throw readable(error);
  });
  const pathOf = (id: string): string => join(root, id.slice(0, 2), id.slice(2));
  /** Every object has a folder since the start. Without it, the disk of the files was unmounted, and nothing is known of them. */
  async function requireFolderOf(id: string): Promise<void> {
    await stat(join(root, id.slice(0, 2))).catch((error: unknown) => {
      throw isAbsent(error) ? new StoreAway(root) : error;
    });
  }
  const missing = (id: string) => async (error: unknown) => {
    if (!isAbsent(error)) throw error;
    await requireFolderOf(id);
    throw new BlobMissing(id);
  };

  const unreadable = (id: string) => (error: NodeJS.ErrnoException) => {
    throw error.code === 'EIO' ? new BlobCorrupt(id, 'the disk cannot read a part of it') : error;
  };

  return {
    create(id, headBytes) {
      if (!isBlobId(id)) throw new RangeError('not a blob id');
      return createDiskWriter(
        { temporary: join(root, TEMPORARY, id), final: pathOf(id), flushFirst },
        headBytes,
      );
    },

    async open(id): Promise<ByteReader> {
      if (!isBlobId(id)) throw new BlobMissing(id);
      const file = await open(pathOf(id), 'r').catch(missing(id));
      let size: number;
      try {
        ({ size } = await file.stat());
      } catch (error) {
        await file.close();
        throw error;
      }
      return {
        size,
        async read(into, position) {
          let filled = 0;
          while (filled < into.length) {
            const { bytesRead } = await file
              .read(into, filled, into.length - filled, position + filled)
              .catch(unreadable(id));
            if (bytesRead === 0) break;
            filled += bytesRead;
          }
          return filled;
        },
        close: () => file.close(),
      };
    },

    async overwrite(id, position, bytes) {
      if (!isBlobId(id)) throw new BlobMissing(id);
      const file = await open(pathOf(id), 'r+').catch(missing(id));
      try {
        await file.write(bytes, 0, bytes.length, position);
        await file.datasync();
      } finally {
        await file.close();
      }
    },

    async has(id) {
      if (!isBlobId(id)) return false;
      try {
        await stat(pathOf(id));
        return true;
      } catch (error) {
        if (!isAbsent(error)) throw error;
        await requireFolderOf(id);
        return false;
      }
    },

    async delete(id) {
      if (!isBlobId(id)) return;
      // Not flushed: a file that reappears after a power cut is an orphan, which the sweep deletes again.
      await unlink(pathOf(id)).catch((error: unknown) => {
        if (!isAbsent(error)) throw error;
      });
    },

    async *list() {
      for (const folder of (await readdir(root)).filter(isFanOut)) {
        for (const name of await readdir(join(root, folder))) {
          const id = folder + name;
          if (!isBlobId(id)) continue;
          const stats = await stat(join(root, folder, name)).catch(() => undefined);
          if (stats) yield { id, storedAt: stats.mtime };
        }
      }
    },
  };
}
