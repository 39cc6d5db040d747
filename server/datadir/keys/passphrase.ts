import type { Argon2Parameters } from 'node:crypto';
import { argon2, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { KeyRefused } from '#storage/keys.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import type { Cost, SealedKey } from './sealed-file.ts';
import { boundTo } from './sealed-file.ts';

type Sealed = Extract<SealedKey, { form: 'passphrase' }>;

/** About a second of one core here, and 256 MB of memory: an attacker with the disk pays that for each guess, the server once at its start. */
export const COST: Cost = { memory: 262_144, passes: 3, lanes: 1 };
const MIN_LENGTH = 14;
const TAG_BYTES = 16;

export class WrongPassphrase extends KeyRefused {
  override name = 'WrongPassphrase';
}

/** Why a new passphrase is too weak, as a message; null if it is not. */
export function weakness(passphrase: string): string | null {
  const letters = Array.from(passphrase.normalize('NFKC'));
  if (letters.length < MIN_LENGTH)
    return `A passphrase has at least ${MIN_LENGTH} characters: whoever has the disk can try millions. Take five or six words that have nothing to do with each other.`;
  if (new Set(letters).size < 6)
    return 'This passphrase repeats the same few characters. Take five or six words that have nothing to do with each other.';
  return null;
}

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

// Keyboards compose the same character from different code points, so the text is normalized. A line end is not part of it.
const keyOf = (passphrase: string, salt: Buffer, { memory, passes, lanes }: Cost): Promise<Buffer> =>
  derive('argon2id', {
    message: passphrase.replace(/[\r\n]+$/, '').normalize('NFKC'),
    nonce: salt,
    memory,
    passes,
    parallelism: lanes,
    tagLength: 32,
  });

/** Seals the 32 bytes of a master key with a passphrase. */
export async function sealWithPassphrase(secret: Buffer, passphrase: string, cost = COST): Promise<Sealed> {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const keyId = deriveMasterKey(secret).keyId.toString('hex');
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt, cost), nonce);
  cipher.setAAD(Buffer.from(boundTo({ keyId, cost, salt })));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return { form: 'passphrase', keyId, cost, salt, nonce, sealed };
}

/** @throws {WrongPassphrase} */
export async function openWithPassphrase(key: Sealed, passphrase: string): Promise<Buffer> {
  const decipher = createDecipheriv('aes-256-gcm', await keyOf(passphrase, key.salt, key.cost), key.nonce);
  decipher.setAAD(Buffer.from(boundTo(key)));
  decipher.setAuthTag(key.sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(key.sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new WrongPassphrase('This is not the passphrase of this vault. Capital letters and spaces count.');
  }
}
