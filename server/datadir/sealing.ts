import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps what must be readable again but not by whoever copies the database. */
export interface Sealer {
  seal(plain: Buffer | string): Buffer;
  /** @throws when it was sealed with another secret or for another purpose, or was altered. */
  open(sealed: Buffer): Buffer;
}

/** Where sealed values lie in the database, each place with its own purpose: what a new master key has to reach. */
export const SEALED = {
  emails: { table: 'jobs', column: 'sealed', purpose: 'outbox' },
  twoStep: { table: 'two_step', column: 'sealed_secret', purpose: 'two-step' },
  textIndex: { table: 'reading_settings', column: 'sealed_key', purpose: 'text index' },
  logos: { table: 'firm_logos', column: 'sealed_image', purpose: 'logo' },
  scans: { table: 'scanned_pages', column: 'sealed', purpose: 'scanned pages' },
  pdfPasswords: { table: 'pdf_passwords', column: 'sealed', purpose: 'PDF passwords' },
  choices: { table: 'kept_choices', column: 'sealed', purpose: 'kept choices' },
  history: { table: 'audit_head', column: 'sealed_key', purpose: 'history chain' },
} as const;

const NONCE = 12;
const TAG = 16;

/** AES-256-GCM under a key of its own for each purpose: `nonce | ciphertext | tag`. */
export function createColumnSealer(secret: Buffer, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `seal 1 ${purpose}`, 32));
  return {
    seal(plain) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      const end = sealed.length - TAG;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), {
        authTagLength: TAG,
      });
      decipher.setAuthTag(sealed.subarray(end));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE, end)), decipher.final()]);
    },
  };
}
