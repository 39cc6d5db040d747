import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { pieceKey } from './layout.ts';
import type { RepositoryKeys } from './keys.ts';
import { PIECE_BYTES } from './keys.ts';
import { patiently } from './patience.ts';
import type { Place } from './place.ts';
import { ObjectLost, concatenate } from './place.ts';

const AT_ONCE = 4;

interface StoredDatabase {
  bytes: number;
  /** The pieces in the order of the database file. */
  pieces: string[];
  /** The sealed size of the newly written pieces. */
  fresh: number;
}

async function* piecesOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ;) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let filled = 0;
    while (filled < PIECE_BYTES) {
      const { bytesRead } = await file.read(piece, filled, PIECE_BYTES - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (filled === 0) return;
    yield piece.subarray(0, filled);
    position += filled;
  }
}

/** Stores a database file that is not being written; pieces that already exist are only referenced. */
export async function storeDatabase(
  { place, keys, signal }: { place: Place; keys: RepositoryKeys; signal: AbortSignal },
  path: string,
  existing: ReadonlySet<string>,
): Promise<StoredDatabase> {
  const stored: StoredDatabase = { bytes: 0, pieces: [], fresh: 0 };
  const written = new Set(existing);
  const writes = new Set<Promise<void>>();
  const failed: { error?: unknown } = {};
  async function write(name: string, piece: Buffer): Promise<void> {
    const sealed = await keys.sealPiece(name, piece);
    await place.write(pieceKey(keys.id, name), sealed);
    stored.fresh += sealed.length;
  }
  const file = await open(path, 'r');
  try {
    for await (const piece of piecesOf(file)) {
      signal.throwIfAborted();
      if ('error' in failed) break;
      const name = keys.nameOf(piece);
      stored.pieces.push(name);
      stored.bytes += piece.length;
      if (written.has(name)) continue;
      written.add(name);
      const writing: Promise<void> = write(name, piece)
        .catch((error: unknown) => {
          failed.error = error;
        })
        .finally(() => writes.delete(writing));
      writes.add(writing);
      if (writes.size >= AT_ONCE) await Promise.race(writes);
    }
  } finally {
    await Promise.all(writes);
    await file.close();
  }
  if ('error' in failed) throw failed.error;
  return stored;
}

/** The fault of a piece; null if it can be restored. */
export async function pieceFault(place: Place, keys: RepositoryKeys, name: string): Promise<string | null> {
  try {
    const sealed = await concatenate(place.stream(pieceKey(keys.id, name)));
    return (await keys.openPiece(name, sealed)) ? null : 'is damaged';
  } catch (error) {
    if (error instanceof ObjectLost) return error.fault;
    throw error;
  }
}

/** A piece of the database cannot be restored. */
export class PieceLost extends Error {
  override name = 'PieceLost';
}

/**
 * Restores the database of a snapshot to a new file.
 * @param pauses between tries while the place is away, in milliseconds.
 * @throws {PieceLost} @throws {PlaceGone} after the last try.
 */
export async function fetchDatabase(
  { place, keys, pauses }: { place: Place; keys: RepositoryKeys; pauses: readonly number[] },
  { bytes, pieces }: { bytes: number; pieces: readonly string[] },
  path: string,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let written = 0;
  try {
    for (const name of pieces) {
      const lost = (fault: string) =>
        new PieceLost(`A piece of the database of this backup ${fault} (${name}). Take another backup.`);
      const fetch = () => concatenate(place.stream(pieceKey(keys.id, name)));
      const sealed = await patiently(pauses, fetch).catch((error: unknown) => {
        throw error instanceof ObjectLost ? lost(error.fault) : error;
      });
      const piece = await keys.openPiece(name, sealed);
      if (!piece) throw lost('is damaged');
      await file.writeFile(piece);
      written += piece.length;
    }
    if (written !== bytes)
      throw new PieceLost('The database of this backup is not as long as it was. Take another backup.');
    await file.sync();
  } finally {
    await file.close();
  }
}
