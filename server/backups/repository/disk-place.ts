import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDiskFull } from '#storage/disk-full.ts';
import { filesBelow, keysBelow } from './disk-keys.ts';
import { createFlushing } from './flushing.ts';
import type { Body, Place } from './place.ts';
import { ObjectMissing, ObjectUnreadable, PlaceFull, PlaceGone, PlaceRefused } from './place.ts';

const TEMPORARY = 'tmp';
const PIECE = 1024 * 1024;

/** Names of incomplete objects; a folder may have had a `tmp` of its own before it became a place. */
const incomingName = (): string => randomBytes(12).toString('hex');
const isIncoming = (name: string): boolean => /^[0-9a-f]{24}$/.test(name);

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
/** Error codes of an unplugged disk or an unavailable share. */
const GONE = ['EIO', 'ESTALE', 'ENODEV', 'ENXIO', 'EHOSTDOWN', 'EHOSTUNREACH', 'ETIMEDOUT', 'ENOTCONN'];

/**
 * An existing folder as a place, on another disk or a mounted share. It is never created, since a missing mount would then
 * be mistaken for an empty place.
 * @throws {PlaceRefused}
 */
export async function openDiskPlace(root: string): Promise<Place> {
  const currentIdentity = async (): Promise<string> => {
    const { dev, ino } = await stat(root);
    return `${dev} ${ino}`;
  };
  let identity: string;
  try {
    if (!(await stat(root)).isDirectory())
      throw new PlaceRefused(`${root} is not a folder. Set BACKUP_DIR to one.`);
    identity = await currentIdentity();
  } catch (error) {
    throw placeError(error);
  }
  /** Made for the first write: whoever only reads changes nothing, and may read a disk that is mounted read-only. */
  let hasTemporary = false;
  const flushing = createFlushing(requireSamePlace);

  /** The error to report for one of the file system. */
  function placeError(error: unknown): unknown {
    const code = codeOf(error);
    if (isDiskFull(error)) return new PlaceFull(root);
    if (GONE.includes(code))
      return new PlaceGone(
        `${root} cannot be read or written any more (${code}). Is the disk or share still there?`,
      );
    if (code === 'EROFS')
      return new PlaceGone(
        `${root} can be read here but not written. If BACKUP_DIR was set after the service was: sudo npm run admin -- install. ` +
          'Otherwise the disk is mounted read-only, as after a fault.',
      );
    if (code === 'ENOENT')
      return new PlaceGone(`${root} is not there. Connect the disk or mount the share, or make the folder.`);
    if (code === 'EACCES' || code === 'EPERM')
      return new PlaceRefused(
        `${root} may not be written by the user that the server runs as. Give it the folder.`,
      );
    return error;
  }

  /** Checks that the place is still mounted. Called before each change, since a share can disappear at any time. */
  async function requireSamePlace(): Promise<void> {
    const current = await currentIdentity().catch(() => null);
    if (current === identity) return;
    throw new PlaceGone(
      `${root} is no longer what it was when the work began. Was the disk or share taken away?`,
    );
  }

  /** The error to report for one of reading: only while the place itself is there, a bad sector or a missing file is that of one object. */
  async function readError(key: string, error: unknown): Promise<unknown> {
    const code = codeOf(error);
    if (code !== 'EIO' && code !== 'ENOENT') return placeError(error);
    const [gone] = await Promise.allSettled([requireSamePlace()]);
    if (gone.status === 'rejected') return gone.reason;
    return code === 'EIO' ? new ObjectUnreadable(key) : new ObjectMissing(key);
  }

  /** A list of what is there, which has to be of the place and not of the empty folder that a share leaves behind. */
  async function* listed<T>(all: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* all;
    } catch (error) {
      throw placeError(error);
    }
    await requireSamePlace();
  }

  const pathOf = (key: string): string => {
    if (!/^[\w .-]+(?:\/[\w.-]+)*$/.test(key) || key.includes('..')) throw new RangeError(`no key: ${key}`);
    return join(root, key);
  };

  async function makeFolder(folder: string): Promise<void> {
    if (folder === root || (await stat(folder).catch(() => null))) return;
    await makeFolder(dirname(folder));
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    flushing.changed(dirname(folder));
  }

  async function fill(file: FileHandle, body: Body): Promise<void> {
    if (Buffer.isBuffer(body)) await file.writeFile(body);
    else for await (const chunk of body.chunks) await file.writeFile(chunk);
  }

  return {
    address: root,

    async read(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        const reason = await readError(key, error);
        if (reason instanceof ObjectMissing) return null;
        throw reason;
      }
    },

    async *stream(key) {
      const file = await open(pathOf(key), 'r').catch(async (error: unknown) => {
        throw await readError(key, error);
      });
      try {
        for (;;) {
          const buffer = Buffer.allocUnsafe(PIECE);
          const { bytesRead } = await file.read(buffer, 0, PIECE).catch(async (error: unknown) => {
            throw await readError(key, error);
          });
          if (bytesRead === 0) return;
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    },

    async write(key, body) {
      const path = pathOf(key);
      const incoming = join(root, TEMPORARY, incomingName());
      await requireSamePlace();
      try {
        await makeFolder(dirname(path));
        if (!hasTemporary) await makeFolder(join(root, TEMPORARY));
        hasTemporary = true;
        const file = await open(incoming, 'wx', 0o600);
        await fill(file, body).catch(async (error: unknown) => {
          await file.close().catch(() => {});
          await rm(incoming, { force: true }).catch(() => {});
          throw error;
        });
        await flushing.add({ file, incoming, path });
      } catch (error) {
        await requireSamePlace();
        throw placeError(error);
      }
    },

    async settle() {
      await flushing.settle().catch((error: unknown) => {
        throw placeError(error);
      });
    },

    keys: (prefix) => listed(keysBelow(root, prefix.replace(/\/$/, ''))),
    list: (prefix) => listed(filesBelow(root, prefix.replace(/\/$/, ''))),

    async deleteIncomplete() {
      await requireSamePlace();
      const folder = join(root, TEMPORARY);
      const names = await readdir(folder).catch((): string[] => []);
      for (const name of names.filter(isIncoming)) await rm(join(folder, name), { force: true });
    },

    async delete(key) {
      await requireSamePlace();
      await unlink(pathOf(key)).catch((error: unknown) => {
        if (codeOf(error) !== 'ENOENT') throw placeError(error);
      });
    },
  };
}
