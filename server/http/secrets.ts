import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as 43 characters that are safe in a header, a cookie and a path. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The hash of a secret for storage. Plain SHA-256 suffices: 256 random bits cannot be guessed. */
export const fingerprint = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');
