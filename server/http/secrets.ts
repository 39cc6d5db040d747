import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits as 43 characters that are safe in a header, a cookie and a path. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** The hash of a secret for storage. Plain SHA-256 suffices: 256 random bits cannot be guessed. */
export const fingerprint = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

/** Compares in constant time, so that timing does not reveal how much of a secret was right. */
export function isSameSecret(received: string, expected: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
