import { createSecretKey } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobId, ByteRange } from './blobs.ts';
import { BlobCorrupt } from './blobs.ts';
import type { ByteReader } from './bytes.ts';
import { chunkCount, openChunk, release, sealedBytes, TAG_BYTES } from './chunks.ts';
import type { Header } from './header.ts';
import { HEADER_BYTES } from './header.ts';

/** Plain bytes whose chunks are read at once; two such windows are held, one being opened while the other fills. */
const WINDOW_BYTES = 1024 * 1024;
/** Memory of all windows together. Beyond it a reader reads one chunk at a time, so that many slow ones hold little. */
const WINDOWS_BYTES = 16 * 1024 * 1024;
let held = 0;

/** Kept for the next reader: making new ones takes a fifth of the time of reading files of this size. */
const SPARE_WINDOWS = 8;
const spares: Buffer[] = [];

/** A run of whole chunks as they lie in the file. */
interface Window {
  first: number;
  /** The chunk after its last. */
  beyond: number;
  sealed: Buffer;
  /** Of which `sealed` is the beginning. */
  memory: Buffer;
}

/**
 * The plain bytes of an opened blob. The first chunk is verified before this resolves, so damage in
 * a short file is a rejection and not a broken stream. Closes `reader` in every case.
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

  /** Frees what is held; a read under way ends first. What was read is verified by then, so a failing close has nothing to say. */
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
    const at = (chunk - first) * stride;
    const plain = openChunk(key, chunk, chunk === lastOfBlob, sealed.subarray(at, at + stride));
    if (!plain) throw new BlobCorrupt(id, `chunk ${chunk} of ${lastOfBlob + 1} is altered`);
    return plain;
  }

  /** What was asked for of a chunk. */
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
        // Not at once: who takes nothing has nothing read ahead.
        if (!ahead && chunk > half && beyond <= lastChunk && isRoomy()) {
          ahead = fill(beyond);
          // It is awaited when its turn comes, which is never when the stream is destroyed.
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
    // In object mode pieces come as they are; otherwise whoever iterates gets those that wait copied into one.
    const stream = Readable.from(plain.length > 0 ? chunks(window, plain) : [], { highWaterMark: 1 });
    // Not a `finally` of the generator: that would not run for a stream destroyed before its first read.
    stream.once('close', () => void close());
    return stream;
  } catch (error) {
    await close();
    throw error;
  }
}
