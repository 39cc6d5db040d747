import { inflateRawSync } from 'node:zlib';

/** Said of a file, in the log; whoever asked is told only that it cannot be shown. */
export class Unreadable extends Error {}

/** The document opens only with a password. */
export class Locked extends Error {}

/** Entries of a ZIP that is a document, and bytes that all of them may say they have. */
const ENTRIES_MAX = 5000;
const UNPACKED_MAX = 300 * 1024 * 1024;

/** Bytes that one of deflate can become, at most. */
const DEFLATE_MAX = 1032;

/**
 * Refuses an office document that is enormous when unpacked, whether it says so of itself or says something else.
 * @throws {Unreadable}
 */
export function checkPackage(bytes: Buffer): void {
  let entries = 0;
  let unpacked = 0;
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) {
    if (at + 46 > bytes.length) break;
    entries += 1;
    const said = bytes.readUInt32LE(at + 24);
    unpacked += said;
    if (entries > ENTRIES_MAX || unpacked > UNPACKED_MAX || !keepsTo(bytes, at, said))
      throw new Unreadable('It holds too much when unpacked.');
  }
}

/** Whether an entry becomes no larger than it says, given where the directory tells of it. */
function keepsTo(bytes: Buffer, at: number, said: number): boolean {
  const packed = bytes.readUInt32LE(at + 20);
  const [isDeflated, start] = [bytes.readUInt16LE(at + 10) === 8, bytes.readUInt32LE(at + 42)];
  if (!isDeflated || packed * DEFLATE_MAX < UNPACKED_MAX / 10 || start + 30 > bytes.length) return true;
  const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  try {
    inflateRawSync(bytes.subarray(data, data + packed), { maxOutputLength: Math.max(1, said) });
    return true;
  } catch (error) {
    // Damage of any other kind is for the library that reads the document to judge.
    return (error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE';
  }
}

export const isZip = (bytes: Buffer): boolean => bytes.readUInt32LE(0) === 0x04034b50;
/** The container of the old Office formats, of Outlook's e-mails, and of what Office has encrypted. */
export const isCompound = (bytes: Buffer): boolean => bytes.readUInt32LE(0) === 0xe011cfd0;

const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
/** @throws {Locked} for a document that Office has encrypted. */
export function checkUnlocked(bytes: Buffer): void {
  if (isCompound(bytes) && bytes.includes(ENCRYPTED)) throw new Locked('It is encrypted.');
}
