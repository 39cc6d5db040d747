import { createYielding } from './yield.ts';
import { decodeName } from './decode-name.ts';
import type { CentralRecord } from './records.ts';
import * as records from './records.ts';
import { ArchiveRefused, damaged, shown, unsafe } from './refusal.ts';
import type { Source } from './source.ts';
import { modifiedAt } from './times.ts';

export const MAX_ENTRIES = 65_536;
/** For 65,536 entries, names of some 700 bytes with their fields; what is read at once stays bounded. */
const MAX_DIRECTORY_BYTES = 48 * 1024 * 1024;

const ENCRYPTED = 0x0001;
const STRONGLY = 0x2040;
const AES = 0x9901;
const AES_METHOD = 99;

export type Encryption =
  { kind: 'zipcrypto'; check: number } | { kind: 'aes'; strength: 1 | 2 | 3; hasCrc: boolean };

/** One entry as the directory declares it. */
export interface Entry {
  /** As its writer meant it; still to be judged and cleaned. */
  name: string;
  /** Of the file type bits of Unix, where its writer noted them; 0 otherwise. */
  kind: number;
  isFolder: boolean;
  flags: number;
  /** How the bytes are compressed, once decrypted. */
  method: number;
  /** The method as it stands in the entry's own header: 99 for AES. */
  writtenMethod: number;
  encryption: Encryption | null;
  crc: number;
  compressedSize: number;
  size: number;
  /** ISO 8601; without a zone where the writer noted none. */
  modified: string | null;
  /** Where its own header begins. */
  offset: number;
  /** Where the next entry, or the directory, begins. */
  limit: number;
}

interface Place {
  start: number;
  size: number;
  entries: number;
  /** Bytes in front of the archive that its offsets do not count. */
  shift: number;
  wraps: boolean;
}

/**
 * Reads the whole directory before anything is unpacked. Entries come in the order of their bytes.
 * @throws {ArchiveRefused} for anything that is not one sound, whole archive of at most 65,536 entries.
 */
export async function readDirectory(source: Source): Promise<Entry[]> {
  const place = await findDirectory(source);
  if (place.entries > MAX_ENTRIES) throw tooMany();
  if (place.size > MAX_DIRECTORY_BYTES) throw damaged('its list of contents is too long');
  const bytes = place.size === 0 ? Buffer.alloc(0) : await source.read(place.start, place.size);
  const entries: Entry[] = [];
  const breathe = createYielding();
  let at = 0;
  while (at + records.CENTRAL_BYTES <= bytes.length && bytes.readUInt32LE(at) === records.CENTRAL_SIGNATURE) {
    const head = bytes.subarray(at, (at += records.CENTRAL_BYTES));
    const tail = records.centralTail(head).reduce((sum, length) => sum + length, 0);
    if (at + tail > bytes.length) throw damaged('its list of contents is cut off');
    const record = records.readCentral(head, bytes.subarray(at, (at += tail)));
    if (entries.push(entryOf(record, place)) > MAX_ENTRIES) throw tooMany();
    await breathe();
  }
  const counted = place.wraps ? entries.length % 65_536 : entries.length;
  if (counted !== place.entries)
    throw damaged('its list of contents does not have as many entries as it says');
  return ordered(entries, place.start);
}

export const tooMany = () =>
  new ArchiveRefused(
    'too_many',
    `This ZIP holds more than ${MAX_ENTRIES.toLocaleString('en-US')} files and folders. Unpack it on your computer and upload what you need.`,
  );

async function findDirectory(source: Source): Promise<Place> {
  const length = Math.min(source.size, records.END_BYTES + 0xffff + records.LOCATOR_BYTES);
  const tailStart = source.size - length;
  const tail = length === 0 ? Buffer.alloc(0) : await source.read(tailStart, length);
  // First an end that is the end; then one that has something behind it, as servers and mail gateways leave.
  for (const exact of [true, false]) {
    for (let at = tail.length - records.END_BYTES; at >= 0; at -= 1) {
      if (tail[at] !== 0x50 || tail.readUInt32LE(at) !== records.END_SIGNATURE) continue;
      const end = records.readEnd(tail.subarray(at));
      const after = tail.length - at - records.END_BYTES;
      if (exact ? end.commentLength !== after : end.commentLength > after) continue;
      const place = await placeOf(source, end, tail, at, tailStart);
      if (place) return place;
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

async function placeOf(
  source: Source,
  end: records.End,
  tail: Buffer,
  at: number,
  tailStart: number,
): Promise<Place | null> {
  let { disk, entries, directorySize: size, directoryOffset: declared } = end;
  let before = tailStart + at;
  const locator = at - records.LOCATOR_BYTES;
  const has64 = locator >= 0 && tail.readUInt32LE(locator) === records.LOCATOR_SIGNATURE;
  if (has64) {
    const at64 = before - records.LOCATOR_BYTES - records.END64_BYTES;
    const told = records.readUInt64(tail, locator + 8);
    const found = (await end64At(source, told)) ?? (await end64At(source, at64));
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

async function end64At(source: Source, at: number) {
  if (at < 0 || at + records.END64_BYTES > source.size) return null;
  const bytes = await source.read(at, records.END64_BYTES);
  return bytes.readUInt32LE(0) === records.END64_SIGNATURE ? { at, record: records.readEnd64(bytes) } : null;
}

function entryOf(record: CentralRecord, { start, shift }: Place): Entry {
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
  if (flags & STRONGLY) throw unreadable('is encrypted in a way that only PKWARE’s program opens');
  if (method !== AES_METHOD) {
    const check = flags & 0x0008 ? time >>> 8 : crc >>> 24;
    return { method, writtenMethod, encryption: { kind: 'zipcrypto', check } };
  }
  const field = extra.get(AES);
  const strength = field?.[4];
  if (!field || field.length < 7 || (strength !== 1 && strength !== 2 && strength !== 3)) {
    throw damaged(`${shown(name)} does not say how it is encrypted`);
  }
  // The second version of the format leaves the CRC out, which would tell something of the content.
  const encryption = { kind: 'aes', strength, hasCrc: field.readUInt16LE(0) === 1 } as const;
  return { method: field.readUInt16LE(5), writtenMethod, encryption };
}

/** `why` completes "This ZIP …". */
export const unreadable = (why: string) =>
  new ArchiveRefused('unreadable', `This ZIP ${why}. Unpack it on your computer and upload the files.`);

/** In the order of their bytes, each told where it must end: no byte belongs to two entries. */
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
