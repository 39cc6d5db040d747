import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * Encrypts sequence numbers into event ids. Plain numbers would reveal how much happens in other firms.
 * @param key AES-128.
 */
export function createEventIds(key: Buffer) {
  return {
    encode(seq: number): string {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-128-gcm', key, nonce);
      const plain = Buffer.alloc(6);
      plain.writeUIntBE(seq, 0, 6);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      );
    },
    /** @returns null for an id that was not made with this key. */
    decode(id: string): number | null {
      const sealed = Buffer.from(id, 'base64url');
      if (sealed.length !== 34) return null;
      const decipher = createDecipheriv('aes-128-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
      decipher.setAuthTag(sealed.subarray(18));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(12, 18)), decipher.final()]).readUIntBE(0, 6);
      } catch {
        return null;
      }
    },
  };
}
