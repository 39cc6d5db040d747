import { createCipheriv, createDecipheriv } from 'node:crypto';
import { CHUNK_BYTES_MAX, TAG_BYTES } from './chunks.ts';
import type { MasterKey } from './masterkey.ts';

export const HEADER_BYTES = 160;
export const SLOT_BYTES = 68;
const FIXED_BYTES = 24;
const MAGIC = Buffer.from('ALMIRAH', 'latin1');
/** By what follows the header: the content, or the list of the parts that hold it. */
const VERSIONS = { content: 1, parts: 2 } as const;
const CIPHER = 'aes-256-gcm';

/** What a header says once a slot has opened: only then are these values to be trusted. */
export interface Header {
  /** Plain bytes of the content. */
  size: number;
  /** How many other blobs hold the content; 0: it follows the header. */
  parts: number;
  chunkBytes: number;
  dataKey: Buffer;
  /** The slot that opened, and whether the other one is empty. */
  slot: 0 | 1;
  otherEmpty: boolean;
}

export interface NewHeader {
  id: string;
  size: number;
  /** As in `Header`; 0 when left out. */
  parts?: number;
  chunkBytes: number;
  dataKey: Buffer;
  /** 12 bytes, never used before with this master key: random. */
  nonce: Buffer;
}

export const slotOffset = (slot: 0 | 1): number => FIXED_BYTES + slot * SLOT_BYTES;

const associated = (fixed: Buffer, id: string): Buffer => Buffer.concat([fixed, Buffer.from(id, 'hex')]);

/** A slot for `dataKey` under `master`, in the header that begins with `fixed`. */
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

/** A string says why the header cannot be that of this blob. */
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
