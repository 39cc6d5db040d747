import { BlobMissing } from './blobs.ts';
import type { RewritableBytes } from './bytes.ts';
import { isBlobId } from './bytes.ts';

/** A driver that keeps everything in memory, for tests. */
export function createMemoryBytes(): RewritableBytes {
  const objects = new Map<string, { bytes: Buffer; storedAt: Date }>();
  const find = (id: string) => {
    const object = objects.get(id);
    if (!object) throw new BlobMissing(id);
    return object;
  };
  return {
    create(id, headBytes) {
      if (!isBlobId(id)) throw new RangeError('not a blob id');
      let written: Buffer[] = [];
      return {
        async write(buffers) {
          written.push(Buffer.concat(buffers));
        },
        async commit(head, tail) {
          if (head.length !== headBytes) throw new RangeError('the head has another length than announced');
          objects.set(id, { bytes: Buffer.concat([head, ...written, ...tail]), storedAt: new Date() });
        },
        async abort() {
          written = [];
        },
      };
    },
    async open(id) {
      const { bytes } = find(id);
      return {
        size: bytes.length,
        read: async (into, position) => bytes.copy(into, 0, position),
        close: async () => {},
      };
    },
    async overwrite(id, position, replacement) {
      const object = find(id);
      // A copy, so that readers opened before are unaffected.
      object.bytes = Buffer.from(object.bytes);
      replacement.copy(object.bytes, position);
    },
    has: async (id) => objects.has(id),
    async delete(id) {
      objects.delete(id);
    },
    async *list() {
      for (const [id, { storedAt }] of objects) yield { id, storedAt };
    },
  };
}
