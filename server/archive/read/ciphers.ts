import { createCipheriv, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Encryption } from './directory.ts';
import { damaged, wrongPassword } from './refusal.ts';
import { zipCryptoKeys } from './zipcrypto.ts';

const derive = promisify(pbkdf2);

type Pieces = AsyncIterable<Buffer>;

/** Decrypts the bytes of an entry. @throws {ArchiveRefused} for a wrong password. */
export function decrypt(pieces: Pieces, encryption: Encryption, password: string): AsyncGenerator<Buffer> {
  return encryption.kind === 'aes'
    ? decryptAes(pieces, encryption.strength, password)
    : decryptZipCrypto(pieces, encryption.check, password);
}

/** PKWARE's traditional cipher: a header of twelve bytes, the last of which checks the password. */
async function* decryptZipCrypto(pieces: Pieces, check: number, password: string): AsyncGenerator<Buffer> {
  const keys = zipCryptoKeys(Buffer.from(password));
  let left = 12;
  for await (const piece of pieces) {
    const plain = keys.decrypt(piece);
    const head = Math.min(left, plain.length);
    left -= head;
    if (head > 0 && left === 0 && plain[head - 1] !== check) throw wrongPassword();
    if (plain.length > head) yield plain.subarray(head);
  }
  if (left > 0) throw damaged('an encrypted entry is too short');
}

const BLOCK = 16;
const MAC_BYTES = 10;
/** Blocks of key stream that are computed together. */
const BATCH = 4096;

/** WinZip's AES: salt, two bytes that check the password, AES-CTR with a little-endian counter, HMAC-SHA1. */
async function* decryptAes(pieces: Pieces, strength: 1 | 2 | 3, password: string): AsyncGenerator<Buffer> {
  const keyBytes = 8 + 8 * strength;
  const saltBytes = keyBytes / 2;
  let held: Buffer = Buffer.alloc(0);
  let opened: { mac: ReturnType<typeof createHmac>; stream: (data: Buffer) => Buffer } | undefined;
  for await (const piece of pieces) {
    held = held.length === 0 ? piece : Buffer.concat([held, piece]);
    if (!opened) {
      if (held.length < saltBytes + 2) continue;
      const keys = await derive(password, held.subarray(0, saltBytes), 1000, 2 * keyBytes + 2, 'sha1');
      if (!keys.subarray(2 * keyBytes).equals(held.subarray(saltBytes, saltBytes + 2))) throw wrongPassword();
      const mac = createHmac('sha1', keys.subarray(keyBytes, 2 * keyBytes));
      opened = { mac, stream: counterStream(keys.subarray(0, keyBytes)) };
      held = held.subarray(saltBytes + 2);
    }
    // The last ten bytes may be the authentication code.
    if (held.length <= MAC_BYTES) continue;
    const data = held.subarray(0, held.length - MAC_BYTES);
    held = Buffer.from(held.subarray(held.length - MAC_BYTES));
    opened.mac.update(data);
    yield opened.stream(data);
  }
  if (!opened || held.length !== MAC_BYTES) throw damaged('an encrypted entry is too short');
  if (!timingSafeEqual(opened.mac.digest().subarray(0, MAC_BYTES), held))
    throw damaged('an encrypted entry is altered');
}

/** Node's CTR mode has a big-endian counter, so the counter blocks are created here and encrypted in ECB mode. */
function counterStream(key: Buffer): (data: Buffer) => Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  const counters = Buffer.alloc(BATCH * BLOCK);
  let count = 0;
  let stream: Buffer = Buffer.alloc(0);
  return (data) => {
    const out = Buffer.allocUnsafe(data.length);
    let done = 0;
    while (done < data.length) {
      if (stream.length === 0) {
        const blocks = Math.min(BATCH, Math.ceil((data.length - done) / BLOCK));
        for (let block = 0; block < blocks; block += 1) {
          count += 1;
          counters.writeUIntLE(count, block * BLOCK, 6);
        }
        stream = cipher.update(counters.subarray(0, blocks * BLOCK));
      }
      const length = Math.min(stream.length, data.length - done);
      for (let n = 0; n < length; n += 1) out[done + n] = data[done + n]! ^ stream[n]!;
      stream = stream.subarray(length);
      done += length;
    }
    return out;
  };
}
