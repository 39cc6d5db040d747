import * as records from '../read/records.ts';
import { IST_OFFSET_MS } from '#server/text/day-in-india.ts';

// Writes the records of the ZIP format. All numbers are little-endian; see APPNOTE 6.3.10, section 4.

const MAX16 = 0xffff;
const MAX32 = 0xffffffff;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
/** Flags: the name is UTF-8; the checksum follows the data. */
const [UTF8, STREAMED] = [0x0800, 0x0008];
/** The version that wrote the archive (6.3, on Unix), and those needed to read it: 2.0, or 4.5 for Zip64. */
const [MADE_BY, PLAIN, ZIP64] = [(3 << 8) | 63, 20, 45];
const [FILE_MODE, FOLDER_MODE] = [0o100664 * 2 ** 16, 0o40775 * 2 ** 16 + 0x10];
const LOCAL_SIZES = 4 + 16;
const TIMESTAMP = 0x5455;
const TIMESTAMP_BYTES = 9;

export interface Recorded {
  /** The path from the archive's root; a folder's ends with a slash. */
  name: string;
  /** The length of the name in UTF-8. */
  nameBytes: number;
  type: 'folder' | 'file';
  /** The size of the content, which is stored uncompressed. */
  size: number;
  /** The position of its local header. */
  offset: number;
  modifiedAt: Date;
}

/**
 * A date and time in DOS format: to two seconds, from 1980 to 2107. It has no time zone; programs show it as local time, so it is that
 * of India.
 */
function dosTime(date: Date): number {
  const local = new Date(date.getTime() + IST_OFFSET_MS);
  const year = local.getUTCFullYear();
  if (!(year >= 1980)) return ((1 << 5) | 1) * 2 ** 16;
  const day = ((Math.min(year, 2107) - 1980) << 9) | ((local.getUTCMonth() + 1) << 5) | local.getUTCDate();
  const time = (local.getUTCHours() << 11) | (local.getUTCMinutes() << 5) | (local.getUTCSeconds() >> 1);
  return day * 2 ** 16 + time;
}

/** Info-ZIP's extended timestamp field: to the second, in UTC, clamped to 32 bits. */
function timestamp(date: Date): Buffer {
  const field = Buffer.alloc(TIMESTAMP_BYTES);
  field.writeUInt16LE(TIMESTAMP, 0);
  field.writeUInt16LE(TIMESTAMP_BYTES - 4, 2);
  field[4] = 1;
  const seconds = Math.floor(date.getTime() / 1000) || 0;
  field.writeInt32LE(Math.max(-(2 ** 31), Math.min(seconds, 2 ** 31 - 1)), 5);
  return field;
}

/** The Zip64 field: the numbers that do not fit into 32 bits, in the order of the format. */
function zip64Field(numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(numbers.length === 0 ? 0 : 4 + 8 * numbers.length);
  if (numbers.length === 0) return field;
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * numbers.length, 2);
  for (const [index, number] of numbers.entries()) field.writeBigUInt64LE(BigInt(number), 4 + 8 * index);
  return field;
}

const isWide = (number: number): boolean => number >= MAX32;

export const localBytes = ({ nameBytes, size }: Omit<Recorded, 'offset'>): number =>
  records.LOCAL_BYTES + nameBytes + (isWide(size) ? LOCAL_SIZES : 0) + TIMESTAMP_BYTES;

export function localHeader({ name, nameBytes, type, size, modifiedAt }: Recorded): Buffer {
  const head = Buffer.alloc(records.LOCAL_BYTES);
  const extra = Buffer.concat([zip64Field(isWide(size) ? [size, size] : []), timestamp(modifiedAt)]);
  head.writeUInt32LE(records.LOCAL_SIGNATURE, 0);
  head.writeUInt16LE(isWide(size) ? ZIP64 : PLAIN, 4);
  head.writeUInt16LE(type === 'folder' ? UTF8 : UTF8 | STREAMED, 6);
  head.writeUInt32LE(dosTime(modifiedAt), 10);
  // The sizes follow the data, but a Zip64 field is needed here too: it tells that they have 64 bits there.
  if (isWide(size)) head.fill(0xff, 18, 26);
  head.writeUInt16LE(nameBytes, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, Buffer.from(name), extra]);
}

export const descriptorBytes = ({ type, size }: Recorded): number =>
  type === 'folder' ? 0 : isWide(size) ? 24 : 16;

/** The data descriptor, which follows a file's data. */
export function descriptor(entry: Recorded, crc: number): Buffer {
  const record = Buffer.alloc(descriptorBytes(entry));
  record.writeUInt32LE(DESCRIPTOR_SIGNATURE, 0);
  record.writeUInt32LE(crc, 4);
  for (const index of [0, 1]) {
    if (isWide(entry.size)) record.writeBigUInt64LE(BigInt(entry.size), 8 + 8 * index);
    else record.writeUInt32LE(entry.size, 8 + 4 * index);
  }
  return record;
}

/** The numbers of an entry's Zip64 field in the directory. */
const wideNumbers = ({ size, offset }: Recorded): number[] => [
  ...(isWide(size) ? [size, size] : []),
  ...(isWide(offset) ? [offset] : []),
];

export function centralBytes(entry: Recorded): number {
  const count = wideNumbers(entry).length;
  return records.CENTRAL_BYTES + entry.nameBytes + (count > 0 ? 4 + 8 * count : 0) + TIMESTAMP_BYTES;
}

export function centralRecord(entry: Recorded, crc: number): Buffer {
  const { name, nameBytes, type, size, offset, modifiedAt } = entry;
  const head = Buffer.alloc(records.CENTRAL_BYTES);
  const numbers = wideNumbers(entry);
  const extra = Buffer.concat([zip64Field(numbers), timestamp(modifiedAt)]);
  head.writeUInt32LE(records.CENTRAL_SIGNATURE, 0);
  head.writeUInt16LE(MADE_BY, 4);
  head.writeUInt16LE(numbers.length > 0 ? ZIP64 : PLAIN, 6);
  head.writeUInt16LE(type === 'folder' ? UTF8 : UTF8 | STREAMED, 8);
  head.writeUInt32LE(dosTime(modifiedAt), 12);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(Math.min(size, MAX32), 20);
  head.writeUInt32LE(Math.min(size, MAX32), 24);
  head.writeUInt16LE(nameBytes, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(type === 'folder' ? FOLDER_MODE : FILE_MODE, 38);
  head.writeUInt32LE(Math.min(offset, MAX32), 42);
  return Buffer.concat([head, Buffer.from(name), extra]);
}

/** The end records, for a directory with `count` records in `size` bytes at `offset`. */
export function endRecords(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(records.END_BYTES);
  end.writeUInt32LE(records.END_SIGNATURE, 0);
  end.writeUInt16LE(Math.min(count, MAX16), 8);
  end.writeUInt16LE(Math.min(count, MAX16), 10);
  end.writeUInt32LE(Math.min(size, MAX32), 12);
  end.writeUInt32LE(Math.min(offset, MAX32), 16);
  if (count < MAX16 && !isWide(size) && !isWide(offset)) return end;
  const end64 = Buffer.alloc(records.END64_BYTES);
  end64.writeUInt32LE(records.END64_SIGNATURE, 0);
  end64.writeBigUInt64LE(BigInt(records.END64_BYTES - 12), 4);
  end64.writeUInt16LE(MADE_BY, 12);
  end64.writeUInt16LE(ZIP64, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(records.LOCATOR_BYTES);
  locator.writeUInt32LE(records.LOCATOR_SIGNATURE, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end64, locator, end]);
}
