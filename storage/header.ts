import { createCipheriv, createDecipheriv } from 'node:crypto';
import { CHUNK_BYTES_MAX, TAG_BYTES } from './chunks.ts';
import type { MasterKey } from './masterkey.ts';

export const HEADER_BYTES = 160;
export const SLOT_BYTES = 68;
const FIXED_BYTES = 24;
const MAGIC = Buffer.from('ALMIRAH', 'latin1');
/** The version number, by the data after the header: the content, or the list of its parts. */
const VERSIONS = { content: 1, parts: 2 } as const;
const CIPHER = 'aes-256-gcm';

/** The values of a header, authenticated by opening a slot. */
export interface Header {
  /** The plain size of the content. */
  size: number;
  /** The number of parts of a joined blob; 0 if the content follows the header. */
  parts: number;
  chunkBytes: number;
  dataKey: Buffer;
  /** The opened slot, and whether the other one is empty. */
  slot: 0 | 1;
  otherEmpty: boolean;
}

interface NewHeader {
  id: string;
  size: number;
  /** See `Header`; 0 by default. */
  parts?: number;
  chunkBytes: number;
  dataKey: Buffer;
  /** 12 random bytes, never reused with this master key. */
  nonce: Buffer;
}

export const slotOffset = (slot: 0 | 1): number => FIXED_BYTES + slot * SLOT_BYTES;

const associated = (fixed: Buffer, id: string): Buffer => Buffer.concat([fixed, Buffer.from(id, 'hex')]);

/** Seals `dataKey` under `master` into a slot of the header that begins with `fixed`. */
export function wrap(master: MasterKey, fixed: Buffer, id: string, dataKey: Buffer, nonce: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, master.wrappingKey, nonce);
  cipher.setAAD(associated(fixed.subarray(0, FIXED_BYTES), id));
  const wrapped = cipher.update(dataKey);
  cipher.final();
  return Buffer.concat([master.keyId, nonce, wrapped, cipher.getAuthTag()]);
}

function unwrap(master: MasterKey, fixed: Buffer, id: string, slot: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(CIPHER, master.wrappingKey, slot.subarray(8, 20), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associated(fixed, id));
  decipher.setAuthTag(slot.subarray(52));
  const dataKey = decipher.update(slot.subarray(20, 52));
  try {
    decipher.final();
  } catch {
    return undefined;
  }
  return dataKey;
}

export function sealHeader(
  master: MasterKey,
  { id, size, parts = 0, chunkBytes, dataKey, nonce }: NewHeader,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header[7] = parts > 0 ? VERSIONS.parts : VERSIONS.content;
  header.writeUInt32BE(chunkBytes, 8);
  header.writeUInt32BE(parts, 12);
  header.writeBigUInt64BE(BigInt(size), 16);
  wrap(master, header, id, dataKey, nonce).copy(header, slotOffset(0));
  return header;
}

/** Opens a header. A string is the reason why it is not a valid header of this blob. */
export function openHeader(master: MasterKey, id: string, header: Buffer): Header | string {
  if (header.length < HEADER_BYTES) return 'it is shorter than a header';
  if (!header.subarray(0, 7).equals(MAGIC)) return 'it does not begin like a sealed file';
  const joined = header[7] === VERSIONS.parts;
  if (!joined && header[7] !== VERSIONS.content)
    return `its format version ${header[7]} is not known to this program`;
  const fixed = header.subarray(0, FIXED_BYTES);
  const slots = ([0, 1] as const).map((slot) =>
    header.subarray(slotOffset(slot), slotOffset(slot) + SLOT_BYTES),
  );
  let ours = false;
  for (const slot of [0, 1] as const) {
    const bytes = slots[slot]!;
    if (!bytes.subarray(0, 8).equals(master.keyId)) continue;
    ours = true;
    const dataKey = unwrap(master, fixed, id, bytes);
    if (!dataKey) continue;
    const chunkBytes = header.readUInt32BE(8);
    if (chunkBytes < 1 || chunkBytes > CHUNK_BYTES_MAX) return 'its chunk size is out of bounds';
    const parts = header.readUInt32BE(12);
    if (joined !== parts > 0) return 'its number of parts does not fit its format version';
    const otherEmpty = slots[1 - slot]!.every((byte) => byte === 0);
    return { size: Number(header.readBigUInt64BE(16)), parts, chunkBytes, dataKey, slot, otherEmpty };
  }
  return ours ? 'its header is altered or belongs to another blob' : 'it is sealed under another master key';
}
