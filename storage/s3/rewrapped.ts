import { hkdfSync, randomBytes } from 'node:crypto';
import { BlobCorrupt } from '../blobs.ts';
import type { ByteReader, ByteStore } from '../bytes.ts';
import { HEADER_BYTES, openHeader, slotOffset, wrap } from '../header.ts';
import type { MasterKey } from '../masterkey.ts';
import type { Ring } from './ring.ts';

const SLOT = slotOffset(0);

/** The header with the data key in its slot encrypted with another key. */
function withSlot(header: Buffer, slot: Buffer): Buffer {
  const changed = Buffer.from(header);
  slot.copy(changed, SLOT);
  return changed;
}

/**
 * Presents objects whose data keys are encrypted with a ring key as if they were encrypted with the master key: content is sealed as on a
 * disk; only the key slot in the header differs.
 */
export function rewrapped(bytes: ByteStore, ring: Ring, master: MasterKey): ByteStore {
  function toRing(id: string, header: Buffer): Buffer {
    const opened = openHeader(master, id, header);
    if (typeof opened === 'string') throw new BlobCorrupt(id, opened);
    if (!opened.otherEmpty || opened.slot !== 0) throw new BlobCorrupt(id, 'its unused slot is not empty');
    return withSlot(header, wrap(ring.newest, header, id, opened.dataKey, randomBytes(12)));
  }

  /** A header that cannot be opened is passed on unchanged, so that a check finds it. */
  function toMaster(id: string, header: Buffer): Buffer {
    if (header.length < HEADER_BYTES) return header;
    const key = ring.find(header.subarray(SLOT, SLOT + 8));
    const opened = key && openHeader(key, id, header);
    if (!opened || typeof opened === 'string') return header;
    // The same at each read, so that copies can be compared; each object has its own data key, so no nonce repeats.
    const nonce = Buffer.from(
      hkdfSync('sha256', opened.dataKey, Buffer.alloc(0), 'almirah 1 shown slot', 12),
    );
    return withSlot(header, wrap(master, header, id, opened.dataKey, nonce));
  }

  return {
    ...bytes,

    create(id, headBytes) {
      const writer = bytes.create(id, HEADER_BYTES);
      /** The part of the header that is read as content, if the caller's header is shorter. */
      let early = Buffer.alloc(0);
      const wanted = Math.max(0, HEADER_BYTES - headBytes);
      function withoutHeader(buffers: Buffer[]): Buffer[] {
        if (early.length === wanted) return buffers;
        const all = Buffer.concat([early, ...buffers]);
        early = all.subarray(0, wanted);
        return [all.subarray(wanted)];
      }
      return {
        write: (buffers) => writer.write(withoutHeader(buffers)),
        async commit(head, tail) {
          if (head.length !== headBytes) throw new RangeError('the head has another length than announced');
          const rest = withoutHeader(tail);
          const beginning = Buffer.concat([head, early]);
          if (beginning.length < HEADER_BYTES) throw new BlobCorrupt(id, 'it is shorter than a header');
          const after = beginning.subarray(HEADER_BYTES);
          await writer.commit(toRing(id, beginning.subarray(0, HEADER_BYTES)), [after, ...rest]);
        },
        abort: () => writer.abort(),
      };
    },

    async open(id): Promise<ByteReader> {
      const reader = await bytes.open(id);
      try {
        const stored = Buffer.alloc(Math.min(HEADER_BYTES, reader.size));
        await reader.read(stored, 0);
        const header = toMaster(id, stored);
        return {
          ...reader,
          size: reader.size,
          close: () => reader.close(),
          async read(into, position) {
            const headerBytes = Math.max(0, Math.min(into.length, header.length - position));
            if (headerBytes > 0) header.copy(into, 0, position, position + headerBytes);
            return headerBytes === into.length
              ? headerBytes
              : headerBytes + (await reader.read(into.subarray(headerBytes), position + headerBytes));
          },
        };
      } catch (error) {
        await reader.close();
        throw error;
      }
    },
  };
}
