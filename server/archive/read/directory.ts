import { createYielding } from './yield.ts';
import { decodeName } from './decode-name.ts';
import type { CentralRecord } from './records.ts';
import * as records from './records.ts';
import { ArchiveRefused, damaged, shown, unsafe } from './refusal.ts';
import type { Source } from './source.ts';
import { modifiedAt } from './times.ts';

/** Entries of a ZIP that is opened or unpacked. */
export const MAX_READ_ENTRIES = 65_536;
/** Bounds the memory: enough for 65,536 entries with names and extra fields of some 700 bytes. */
const MAX_DIRECTORY_BYTES = 48 * 1024 * 1024;

const ENCRYPTED = 0x0001;
/** PKWARE's strong encryption, or an encrypted directory. */
const STRONG_ENCRYPTION = 0x2040;
/** The extra field of AES. */
const AES = 0x9901;
const AES_METHOD = 99;

export type Encryption =
  { kind: 'zipcrypto'; check: number } | { kind: 'aes'; strength: 1 | 2 | 3; hasCrc: boolean };

/** One entry as the directory declares it. */
export interface Entry {
  /** The decoded name, not validated yet. */
  name: string;
  /** The file type bits of the Unix mode; 0 if the archive has none. */
  kind: number;
  isFolder: boolean;
  flags: number;
  /** The compression method, after decryption. */
  method: number;
  /** The method in the entry's header: 99 for AES. */
  writtenMethod: number;
  encryption: Encryption | null;
  crc: number;
  compressedSize: number;
  size: number;
  /** ISO 8601, without a time zone if the archive contains none. */
  modified: string | null;
  /** The position of its local header. */
  offset: number;
  /** The position of the next entry, or of the directory. */
  limit: number;
}

interface DirectoryLocation {
  start: number;
  size: number;
  entries: number;
  /** Bytes in front of the archive that its offsets do not include. */
  shift: number;
  /** Whether the number of entries is stored modulo 65,536. */
  wraps: boolean;
}

/**
 * Reads the complete central directory. The entries are ordered by position.
 * @throws {ArchiveRefused} unless it is a single, valid and complete archive of at most 65,536 entries.
 */
export async function readDirectory(source: Source): Promise<Entry[]> {
  const location = await findDirectory(source);
  if (location.entries > MAX_READ_ENTRIES) throw tooMany();
  if (location.size > MAX_DIRECTORY_BYTES) throw damaged('its list of contents is too long');
  const bytes = location.size === 0 ? Buffer.alloc(0) : await source.read(location.start, location.size);
  const entries: Entry[] = [];
  const yieldIfDue = createYielding();
  let offset = 0;
  while (
    offset + records.CENTRAL_BYTES <= bytes.length &&
    bytes.readUInt32LE(offset) === records.CENTRAL_SIGNATURE
  ) {
    const head = bytes.subarray(offset, (offset += records.CENTRAL_BYTES));
    const tail = records.centralTail(head).reduce((sum, length) => sum + length, 0);
    if (offset + tail > bytes.length) throw damaged('its list of contents is cut off');
    const record = records.readCentral(head, bytes.subarray(offset, (offset += tail)));
    if (entries.push(entryOf(record, location)) > MAX_READ_ENTRIES) throw tooMany();
    await yieldIfDue();
  }
  const count = location.wraps ? entries.length % 65_536 : entries.length;
  if (count !== location.entries)
    throw damaged('its list of contents does not have as many entries as it says');
  return ordered(entries, location.start);
}

export const tooMany = () =>
  new ArchiveRefused(
    'too_many',
    `This ZIP holds more than ${MAX_READ_ENTRIES.toLocaleString('en-US')} files and folders. Unpack it on your computer and upload what you need.`,
  );

async function findDirectory(source: Source): Promise<DirectoryLocation> {
  const length = Math.min(source.size, records.END_BYTES + 0xffff + records.LOCATOR_BYTES);
  const tailStart = source.size - length;
  const tail = length === 0 ? Buffer.alloc(0) : await source.read(tailStart, length);
  // First an end record at the very end of the file; then one with trailing bytes, as some servers and mail gateways append.
  for (const exact of [true, false]) {
    for (let index = tail.length - records.END_BYTES; index >= 0; index -= 1) {
      if (tail[index] !== 0x50 || tail.readUInt32LE(index) !== records.END_SIGNATURE) continue;
      const end = records.readEnd(tail.subarray(index));
      const after = tail.length - index - records.END_BYTES;
      if (exact ? end.commentLength !== after : end.commentLength > after) continue;
      const location = await locateDirectory(source, end, tail, index, tailStart);
      if (location) return location;
    }
  }
  throw new ArchiveRefused(
    'damaged',
    'This file is not a whole ZIP: its end is missing, or it is not a ZIP at all. Ask the sender for it again.',
  );
}

const manyParts = () =>
  new ArchiveRefused(
    'unreadable',
    'This is one part of a ZIP in several parts. Put the parts together on your computer and upload the whole.',
  );

async function locateDirectory(
  source: Source,
  end: records.End,
  tail: Buffer,
  offset: number,
  tailStart: number,
): Promise<DirectoryLocation | null> {
  let { disk, entries, directorySize: size, directoryOffset: declared } = end;
  let before = tailStart + offset;
  const locator = offset - records.LOCATOR_BYTES;
  const has64 = locator >= 0 && tail.readUInt32LE(locator) === records.LOCATOR_SIGNATURE;
  if (has64) {
    const at64 = before - records.LOCATOR_BYTES - records.END64_BYTES;
    const declared64 = records.readUInt64(tail, locator + 8);
    const found = (await end64At(source, declared64)) ?? (await end64At(source, at64));
    if (!found) throw damaged('the record of its size is missing');
    ({ disk, entries, directorySize: size, directoryOffset: declared } = found.record);
    before = found.at;
  }
  if (disk !== 0) throw manyParts();
  const wraps = !has64;
  if (size === 0) return entries === 0 ? { start: before, size, entries, shift: 0, wraps } : null;
  for (const start of [declared, before - size]) {
    if (start < declared || start + size > before) continue;
    const signature = await source.read(start, 4);
    const shift = start - declared;
    if (signature.readUInt32LE(0) === records.CENTRAL_SIGNATURE)
      return { start, size, entries, shift, wraps };
  }
  return null;
}

async function end64At(source: Source, offset: number) {
  if (offset < 0 || offset + records.END64_BYTES > source.size) return null;
  const bytes = await source.read(offset, records.END64_BYTES);
  return bytes.readUInt32LE(0) === records.END64_SIGNATURE
    ? { at: offset, record: records.readEnd64(bytes) }
    : null;
}

function entryOf(record: CentralRecord, { start, shift }: DirectoryLocation): Entry {
  const { flags, rawName, extra, crc, compressedSize, size, attributes } = record;
  if (record.disk !== 0) throw manyParts();
  const name = decodeName(rawName, flags, extra);
  const kind = (attributes >>> 16) & 0xf000;
  const isFolder = /[/\\]$/.test(name) || (size === 0 && (kind === 0x4000 || (attributes & 0x10) !== 0));
  const offset = record.offset + shift;
  if (offset + records.LOCAL_BYTES + rawName.length + compressedSize > start) {
    throw damaged(`${shown(name)} points to a place outside it`);
  }
  if (isFolder && size > 0) throw damaged(`the folder ${shown(name)} has content of its own`);
  return {
    name,
    kind,
    isFolder,
    flags,
    ...encoding(record, name),
    crc,
    compressedSize,
    size,
    modified: modifiedAt(record),
    offset,
    limit: start,
  };
}

function encoding(
  { flags, method, extra, crc, time }: CentralRecord,
  name: string,
): Pick<Entry, 'method' | 'writtenMethod' | 'encryption'> {
  const writtenMethod = method;
  if (!(flags & ENCRYPTED)) return { method, writtenMethod, encryption: null };
  if (flags & STRONG_ENCRYPTION) throw unreadable('is encrypted in a way that only PKWARE’s program opens');
  if (method !== AES_METHOD) {
    const check = flags & 0x0008 ? time >>> 8 : crc >>> 24;
    return { method, writtenMethod, encryption: { kind: 'zipcrypto', check } };
  }
  const field = extra.get(AES);
  const strength = field?.[4];
  if (!field || field.length < 7 || (strength !== 1 && strength !== 2 && strength !== 3)) {
    throw damaged(`${shown(name)} does not say how it is encrypted`);
  }
  // AE-2 omits the CRC, which would reveal something about the content.
  const encryption = { kind: 'aes', strength, hasCrc: field.readUInt16LE(0) === 1 } as const;
  return { method: field.readUInt16LE(5), writtenMethod, encryption };
}

/** `why` completes "This ZIP …". */
export const unreadable = (why: string) =>
  new ArchiveRefused('unreadable', `This ZIP ${why}. Unpack it on your computer and upload the files.`);

/** Sorts entries by position and sets their limits. @throws {ArchiveRefused} if two entries overlap. */
function ordered(entries: Entry[], directoryStart: number): Entry[] {
  const sorted = entries.toSorted((a, b) => a.offset - b.offset);
  for (const [n, entry] of sorted.entries()) {
    entry.limit = sorted[n + 1]?.offset ?? directoryStart;
    if (entry.offset + records.LOCAL_BYTES + entry.compressedSize > entry.limit) {
      throw unsafe(`${shown(entry.name)} and another of its entries lie over each other`);
    }
  }
  return sorted;
}
