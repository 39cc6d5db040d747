import { inflateRawSync } from 'node:zlib';

/** A file that cannot be shown. The message is for the log only. */
export class Unreadable extends Error {}

/** The document is encrypted. */
export class Locked extends Error {}

/** Entries of an office document's ZIP, and the sum of their declared unpacked sizes. */
const ENTRIES_MAX = 5000;
const UNPACKED_MAX = 300 * 1024 * 1024;

/** The maximum expansion of one deflated byte. */
const DEFLATE_MAX = 1032;

/**
 * Rejects an office document that is too large when unpacked, whether its declared sizes are true or not.
 * @throws {Unreadable}
 */
export function checkPackage(bytes: Buffer): void {
  let entries = 0;
  let unpacked = 0;
  for (
    let offset = bytes.indexOf('PK\x01\x02');
    offset >= 0;
    offset = bytes.indexOf('PK\x01\x02', offset + 4)
  ) {
    if (offset + 46 > bytes.length) break;
    entries += 1;
    const declaredSize = bytes.readUInt32LE(offset + 24);
    unpacked += declaredSize;
    if (entries > ENTRIES_MAX || unpacked > UNPACKED_MAX || !fitsDeclaredSize(bytes, offset, declaredSize))
      throw new Unreadable('It holds too much when unpacked.');
  }
}

/** Whether an entry unpacks to at most its declared size. @param offset the position of its central directory header. */
function fitsDeclaredSize(bytes: Buffer, offset: number, declaredSize: number): boolean {
  const packed = bytes.readUInt32LE(offset + 20);
  const [isDeflated, start] = [bytes.readUInt16LE(offset + 10) === 8, bytes.readUInt32LE(offset + 42)];
  if (!isDeflated || packed * DEFLATE_MAX < UNPACKED_MAX / 10 || start + 30 > bytes.length) return true;
  const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  try {
    inflateRawSync(bytes.subarray(data, data + packed), { maxOutputLength: Math.max(1, declaredSize) });
    return true;
  } catch (error) {
    // Other damage is left to the library that reads the document.
    return (error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE';
  }
}

export const isZip = (bytes: Buffer): boolean => bytes.readUInt32LE(0) === 0x04034b50;
/** Whether it is an OLE compound file: an old Office format, an Outlook e-mail, or an encrypted Office document. */
export const isCompound = (bytes: Buffer): boolean => bytes.readUInt32LE(0) === 0xe011cfd0;

const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
/** @throws {Locked} for a document encrypted by Office. */
export function checkUnlocked(bytes: Buffer): void {
  if (isCompound(bytes) && bytes.includes(ENCRYPTED)) throw new Locked('It is encrypted.');
}
