import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { isSameSecret } from '#server/http/secrets.ts';

const VERSION = 1;
const NONCE = 12;
const TAG = 16;
/** The unsealed size of a piece of the database. */
export const PIECE_BYTES = 256 * 1024;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** The cryptography of a repository with one master key; see FORMAT.md. */
export interface RepositoryKeys {
  /** The id of the master key: 16 hex digits. */
  id: string;
  nameOf(piece: Buffer): string;
  sealPiece(name: string, piece: Buffer): Promise<Buffer>;
  /** @returns null for a damaged piece, or one whose content does not match its name. */
  openPiece(name: string, sealed: Buffer): Promise<Buffer | null>;
  /** The MAC of a manifest, 64 hex digits. */
  sign(text: string): string;
}

/** @param secret the server secret of the data folder. */
export function repositoryKeys(id: string, secret: Buffer): RepositoryKeys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `almirah backup 1 ${purpose}`, 32));
  const [sealing, naming, signing] = [derive('pieces'), derive('names'), derive('manifests')];
  const nameOf = (piece: Buffer): string =>
    createHmac('sha256', naming).update(piece).digest('hex').slice(0, 32);
  return {
    id,
    nameOf,

    async sealPiece(name, piece) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(name, 'hex'));
      const sealed = [cipher.update(await compress(piece)), cipher.final()];
      return Buffer.concat([Buffer.of(VERSION), nonce, ...sealed, cipher.getAuthTag()]);
    },

    async openPiece(name, sealed) {
      if (sealed.length < 1 + NONCE + TAG || sealed[0] !== VERSION) return null;
      const end = sealed.length - TAG;
      const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(1, 1 + NONCE), {
        authTagLength: TAG,
      });
      decipher.setAAD(Buffer.from(name, 'hex')).setAuthTag(sealed.subarray(end));
      try {
        const packed = Buffer.concat([decipher.update(sealed.subarray(1 + NONCE, end)), decipher.final()]);
        const piece = await decompress(packed, { maxOutputLength: PIECE_BYTES });
        return nameOf(piece) === name ? piece : null;
      } catch {
        return null;
      }
    },

    sign: (text) => createHmac('sha256', signing).update(text).digest('hex'),
  };
}

export const isSignedWith = (keys: RepositoryKeys, text: string, signature: string): boolean =>
  isSameSecret(signature, keys.sign(text));

/** The key id at the start of a `master.check`; null if it is damaged. */
export const keyIdOf = (check: string): string | null =>
  /^almirah-key 1 ([0-9a-f]{16}) [0-9a-f]{64}$/m.exec(check)?.[1] ?? null;
