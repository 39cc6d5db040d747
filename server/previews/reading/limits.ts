/** Said of a file, in the log; whoever asked is told only that it cannot be shown. */
export class Unreadable extends Error {}

/** It opens only with a password. */
export class Locked extends Error {}

/** Entries of a ZIP that is a document, and bytes that all of them may say they have. */
const ENTRIES_MAX = 5000;
const UNPACKED_MAX = 300 * 1024 * 1024;

/**
 * Refuses an office document that says of itself that it is enormous, before anything is unpacked. One that says
 * otherwise and is enormous all the same ends the process that unpacks it.
 */
export function checkPackage(bytes: Buffer): void {
  let entries = 0;
  let unpacked = 0;
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) {
    if (at + 46 > bytes.length) break;
    entries += 1;
    unpacked += bytes.readUInt32LE(at + 24);
    if (entries > ENTRIES_MAX || unpacked > UNPACKED_MAX)
      throw new Unreadable('It holds too much when unpacked.');
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
