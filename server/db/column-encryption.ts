import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts values of the database, so that a copy of it alone does not reveal them. */
export interface Sealer {
  seal(plain: Buffer | string): Buffer;
  /** @throws if the value was sealed with another secret or for another purpose, or was altered. */
  open(sealed: Buffer): Buffer;
}

/** The columns with sealed values, each with a purpose of its own. Replacing the master key reseals them. */
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

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a derived key for each purpose. Format: `nonce | ciphertext | tag`. */
export function createColumnSealer(secret: Buffer, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `seal 1 ${purpose}`, 32));
  return {
    seal(plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      const end = sealed.length - TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(end));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]);
    },
  };
}
