import { damaged } from './refusal.ts';

// Reads the records of the ZIP format. All numbers are little-endian; see APPNOTE 6.3.10, section 4.

export const END_BYTES = 22;
export const LOCATOR_BYTES = 20;
export const END64_BYTES = 56;
export const CENTRAL_BYTES = 46;
export const LOCAL_BYTES = 30;

export const END_SIGNATURE = 0x06054b50;
export const LOCATOR_SIGNATURE = 0x07064b50;
export const END64_SIGNATURE = 0x06064b50;
export const CENTRAL_SIGNATURE = 0x02014b50;
export const LOCAL_SIGNATURE = 0x04034b50;

/** Mark numbers that did not fit and are in a Zip64 record. */
const NONE16 = 0xffff;
const NONE32 = 0xffffffff;

/** A 64-bit position or length. @throws {ArchiveRefused} from 2^53 on. */
export function readUInt64(buffer: Buffer, offset: number): number {
  const upperHalf = buffer.readUInt32LE(offset + 4);
  if (upperHalf >= 2 ** 21) throw damaged('it gives a size or place that cannot be');
  return upperHalf * 2 ** 32 + buffer.readUInt32LE(offset);
}

export interface End {
  disk: number;
  entries: number;
  directorySize: number;
  directoryOffset: number;
  commentLength: number;
  /** Whether a number did not fit and is in the Zip64 record. */
  saturated: boolean;
}

export function readEnd(buffer: Buffer): End {
  const disk = buffer.readUInt16LE(4);
  const entries = buffer.readUInt16LE(10);
  const directorySize = buffer.readUInt32LE(12);
  const directoryOffset = buffer.readUInt32LE(16);
  const saturated =
    disk === NONE16 || entries === NONE16 || directorySize === NONE32 || directoryOffset === NONE32;
  return { disk, entries, directorySize, directoryOffset, commentLength: buffer.readUInt16LE(20), saturated };
}

/** Reads the Zip64 end record, whose signature the caller has checked. */
export function readEnd64(buffer: Buffer): Omit<End, 'commentLength' | 'saturated'> {
  return {
    disk: buffer.readUInt32LE(16),
    entries: readUInt64(buffer, 32),
    directorySize: readUInt64(buffer, 40),
    directoryOffset: readUInt64(buffer, 48),
  };
}

/** An entry of the central directory. Its name and extra fields share memory with the buffer that they were read from. */
export interface CentralRecord {
  host: number;
  flags: number;
  method: number;
  /** In DOS format. */
  time: number;
  date: number;
  crc: number;
  compressedSize: number;
  size: number;
  attributes: number;
  offset: number;
  disk: number;
  rawName: Buffer;
  extra: Map<number, Buffer>;
}

/** The lengths of name, extra fields and comment, which follow the 46 bytes of the header. */
export const centralTail = (head: Buffer): [number, number, number] => [
  head.readUInt16LE(28),
  head.readUInt16LE(30),
  head.readUInt16LE(32),
];

export function readCentral(head: Buffer, tail: Buffer): CentralRecord {
  const [nameLength, extraLength] = centralTail(head);
  const extra = readExtra(tail.subarray(nameLength, nameLength + extraLength));
  const record: CentralRecord = {
    host: head[5]!,
    flags: head.readUInt16LE(8),
    method: head.readUInt16LE(10),
    time: head.readUInt16LE(12),
    date: head.readUInt16LE(14),
    crc: head.readUInt32LE(16),
    compressedSize: head.readUInt32LE(20),
    size: head.readUInt32LE(24),
    disk: head.readUInt16LE(34),
    attributes: head.readUInt32LE(38),
    offset: head.readUInt32LE(42),
    rawName: tail.subarray(0, nameLength),
    extra,
  };
  applyZip64(record, extra.get(0x0001));
  return record;
}

/** Reads numbers that did not fit from the Zip64 field, which contains only those, in this order. */
function applyZip64(record: CentralRecord, field: Buffer | undefined): void {
  let offset = 0;
  for (const key of ['size', 'compressedSize', 'offset'] as const) {
    // Without the field the number is meant literally, which only an archive of 4 GB can contain.
    if (record[key] !== NONE32 || !field) continue;
    if (offset + 8 > field.length) throw damaged('an entry has no size');
    record[key] = readUInt64(field, offset);
    offset += 8;
  }
  if (record.disk === NONE16 && field && offset + 4 <= field.length) record.disk = field.readUInt32LE(offset);
}

/** Extra fields by id, the first of each. The rest is ignored once it does not parse, since some writers pad with arbitrary bytes. */
function readExtra(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let offset = 0;
  while (offset + 4 <= bytes.length) {
    const id = bytes.readUInt16LE(offset);
    const end = offset + 4 + bytes.readUInt16LE(offset + 2);
    if (end > bytes.length) break;
    if (!fields.has(id)) fields.set(id, bytes.subarray(offset + 4, end));
    offset = end;
  }
  return fields;
}
