import type { Seal } from '#desktop/pairing/tokens.ts';
import { own, windowsFfi } from './ffi.ts';

/** Prefix of sealed data; a token stored by an earlier version has no prefix. */
const MARK = Buffer.from('dpapi\0');
/** CRYPTPROTECT_UI_FORBIDDEN: never opens a dialog. */
const UI_FORBIDDEN = 1;
const CALL = {
  arguments: ['buffer', 'pointer', 'buffer', 'pointer', 'pointer', 'uint32', 'buffer'],
  return: 'int32',
};
/** Bytes of a DATA_BLOB: length, padding and pointer. */
const BLOB = 16;

/** Encrypts by Windows' DPAPI for this user on this computer; null on other systems. */
export function dpapi(): Seal | null {
  const ffi = windowsFfi();
  if (!ffi) return null;
  const { functions: crypt } = ffi.dlopen('crypt32.dll', {
    CryptProtectData: CALL,
    CryptUnprotectData: CALL,
  });
  const { functions: kernel } = ffi.dlopen('kernel32.dll', {
    LocalFree: { arguments: ['pointer'], return: 'pointer' },
  });

  function call(way: keyof typeof crypt, bytes: Uint8Array): Buffer {
    const [data, purpose] = [own(bytes), own('Almirah Uploader')];
    const blobOf = (buffer: Buffer) => {
      const blob = Buffer.allocUnsafeSlow(BLOB).fill(0);
      blob.writeUInt32LE(buffer.length, 0);
      blob.writeBigUInt64LE(ffi!.getRawPointer(buffer), 8);
      return blob;
    };
    const made = Buffer.allocUnsafeSlow(BLOB).fill(0);
    const done = crypt[way](blobOf(data), 0n, blobOf(purpose), 0n, 0n, UI_FORBIDDEN, made);
    // Wipe the plain text.
    data.fill(0);
    if (!done)
      throw new Error('Windows does not open this: it was sealed by another user or on another computer.');
    const address = made.readBigUInt64LE(8);
    const result = own(ffi!.toBuffer(address, made.readUInt32LE(0)));
    kernel.LocalFree(address);
    return result;
  }
  return {
    seal: (text) => Buffer.concat([MARK, call('CryptProtectData', Buffer.from(text, 'utf8'))]),
    open(bytes) {
      if (!bytes.subarray(0, MARK.length).equals(MARK)) return bytes.toString('utf8');
      return call('CryptUnprotectData', bytes.subarray(MARK.length)).toString('utf8');
    },
  };
}
