import { createSecretKey } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobId, ByteRange } from './blobs.ts';
import { BlobCorrupt } from './blobs.ts';
import type { ByteReader } from './bytes.ts';
import { chunkCount, openChunk, release, sealedBytes, TAG_BYTES } from './chunks.ts';
import type { Header } from './header.ts';
import { HEADER_BYTES } from './header.ts';

/** The plain size of a window, which is read in one call. Two windows are in memory: one is decrypted while the other fills. */
const WINDOW_BYTES = 1024 * 1024;
/** The memory of all windows. Beyond it, a reader reads single chunks, so that many slow readers need little memory. */
const WINDOWS_BYTES = 16 * 1024 * 1024;
let held = 0;

/** Buffers for reuse: allocating new ones takes a fifth of the time of reading files of this size. */
const SPARE_WINDOWS = 8;
const spares: Buffer[] = [];

/** Consecutive complete chunks of the file. */
interface Window {
  first: number;
  /** The chunk after the last one. */
  beyond: number;
  sealed: Buffer;
  /** The buffer whose beginning is `sealed`. */
  memory: Buffer;
}

/**
 * The plain bytes of an opened blob. The first chunk is verified before this resolves, so damage in a short file is a rejection
 * and not a broken stream. Closes `reader` in every case.
 */
export async function openPlain(
  id: BlobId,
  reader: ByteReader,
  { size, chunkBytes, dataKey }: Header,
  range: ByteRange = { start: 0, end: size - 1 },
): Promise<Readable> {
  const { start, end } = range;
  const whole = start === 0 && end === size - 1;
  if (
    !whole &&
    !(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end < size)
  ) {
    await reader.close();
    throw new RangeError(`Bytes ${start} to ${end} are not within the ${size} bytes of blob ${id}.`);
  }
  const key = createSecretKey(dataKey);
  const lastOfBlob = chunkCount(size, chunkBytes) - 1;
  const firstChunk = Math.floor(start / chunkBytes);
  const lastChunk = Math.max(0, Math.floor(end / chunkBytes));
  const stride = chunkBytes + TAG_BYTES;
  const perWindow = Math.max(1, Math.floor(WINDOW_BYTES / chunkBytes));
  const full = perWindow * stride;
  const buffers = new Set<Buffer>();
  const isRoomy = (): boolean => held < WINDOWS_BYTES;

  function take(length: number): Buffer {
    const fits = length > full / 2 && spares.at(-1)?.length === full;
    const buffer = fits ? spares.pop()! : Buffer.allocUnsafeSlow(length > full / 2 ? full : length);
    buffers.add(buffer);
    held += buffer.length;
    return buffer;
  }

  function giveBack(buffer: Buffer): void {
    if (!buffers.delete(buffer)) return;
    held -= buffer.length;
    if (buffer.length === full && spares.length < SPARE_WINDOWS) spares.push(buffer);
    else release(buffer);
  }

  /** Frees the resources after a read in progress. The bytes read are already verified, so a failed close is ignored. */
  async function close(): Promise<void> {
    await reader.close().catch(() => {});
    for (const buffer of buffers) giveBack(buffer);
  }

  async function fill(first: number): Promise<Window> {
    const beyond = Math.min(first + (isRoomy() ? perWindow : 1), lastChunk + 1);
    const length =
      (beyond - first) * stride - (beyond > lastOfBlob ? (lastOfBlob + 1) * chunkBytes - size : 0);
    const memory = take(length);
    const sealed = memory.subarray(0, length);
    const read = await reader.read(sealed, HEADER_BYTES + first * stride);
    if (read < length) throw new BlobCorrupt(id, 'it ends too early');
    return { first, beyond, sealed, memory };
  }

  function verified({ first, sealed }: Window, chunk: number): Buffer {
    const offset = (chunk - first) * stride;
    const plain = openChunk(key, chunk, chunk === lastOfBlob, sealed.subarray(offset, offset + stride));
    if (!plain) throw new BlobCorrupt(id, `chunk ${chunk} of ${lastOfBlob + 1} is altered`);
    return plain;
  }

  /** The requested range of a chunk. */
  function cut(plain: Buffer, chunk: number): Buffer {
    const base = chunk * chunkBytes;
    return plain.subarray(Math.max(0, start - base), Math.min(plain.length, end + 1 - base));
  }

  async function* chunks(loaded: Window, opened: Buffer): AsyncGenerator<Buffer> {
    let window = loaded;
    let chunk = firstChunk;
    let plain = opened;
    for (;;) {
      const { beyond } = window;
      const half = Math.floor((window.first + beyond) / 2);
      let ahead: Promise<Window> | undefined;
      for (;;) {
        yield cut(plain, chunk);
        chunk += 1;
        if (chunk > lastChunk) return;
        // Deferred: there is no read-ahead for a client that reads nothing.
        if (!ahead && chunk > half && beyond <= lastChunk && isRoomy()) {
          ahead = fill(beyond);
          // It is awaited later, or never if the stream is destroyed, so its rejection must not be unhandled.
          ahead.catch(() => {});
        }
        if (chunk === beyond) break;
        plain = verified(window, chunk);
      }
      const { memory } = window;
      if (ahead) {
        window = await ahead;
        giveBack(memory);
      } else {
        giveBack(memory);
        window = await fill(beyond);
      }
      plain = verified(window, chunk);
    }
  }

  try {
    const beyondLast = Math.min((lastChunk + 1) * stride, sealedBytes(size, chunkBytes));
    reader.expect?.(HEADER_BYTES + beyondLast);
    const window = await fill(firstChunk);
    const plain = verified(window, firstChunk);
    // Object mode delivers chunks unchanged; otherwise iterating concatenates waiting chunks in a copy.
    const stream = Readable.from(plain.length > 0 ? chunks(window, plain) : [], { highWaterMark: 1 });
    // Not in a `finally` of the generator, which would not run for a stream destroyed before its first read.
    stream.once('close', () => void close());
    return stream;
  } catch (error) {
    await close();
    throw error;
  }
}
