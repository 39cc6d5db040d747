import type { Seal } from '#desktop/pairing/tokens.ts';
import { own, windowsFfi } from './ffi.ts';

/** Before what is sealed: a token that an earlier version kept has nothing before it. */
const MARK = Buffer.from('dpapi\0');
/** Never asks by a window. */
const UI_FORBIDDEN = 1;
const CALL = {
  arguments: ['buffer', 'pointer', 'buffer', 'pointer', 'pointer', 'uint32', 'buffer'],
  return: 'int32',
};
/** Bytes of a DATA_BLOB: a length, room, and where the bytes are. */
const BLOB = 16;

/** Seals by Windows' own DPAPI: what it seals is opened only by this user of this computer. Null elsewhere. */
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
    const blobOf = (held: Buffer) => {
      const blob = Buffer.allocUnsafeSlow(BLOB).fill(0);
      blob.writeUInt32LE(held.length, 0);
      blob.writeBigUInt64LE(ffi!.getRawPointer(held), 8);
      return blob;
    };
    const made = Buffer.allocUnsafeSlow(BLOB).fill(0);
    const done = crypt[way](blobOf(data), 0n, blobOf(purpose), 0n, 0n, UI_FORBIDDEN, made);
    // What was in clear memory does not stay there longer than it must.
    data.fill(0);
    if (!done)
      throw new Error('Windows does not open this: it was sealed by another user or on another computer.');
    const at = made.readBigUInt64LE(8);
    const result = own(ffi!.toBuffer(at, made.readUInt32LE(0)));
    kernel.LocalFree(at);
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
