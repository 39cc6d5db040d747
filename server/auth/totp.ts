import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** Phone clocks deviate; RFC 6238 recommends one step each way. */
const WINDOW_STEPS = 1;

const createTotp = (secret: Buffer, issuer = '', label = '') =>
  new TOTP({
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
  });

/** 160 bits, as RFC 4226 recommends. */
export const newTotpSecret = (): Buffer => randomBytes(20);

/** Base32 in groups of four, for typing into an app. */
export const typedSecret = (secret: Buffer): string =>
  createTotp(secret)
    .secret.base32.replace(/(.{4})(?=.)/g, '$1 ')
    .trim();

/** The `otpauth:` address that the QR code holds. */
export const totpAddress = (secret: Buffer, issuer: string, label: string): string =>
  createTotp(secret, issuer, label).toString();

/** The time step of a code; null when the code is not valid around `now`. */
export function stepOf(secret: Buffer, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = createTotp(secret).validate({ token: code, timestamp, window: WINDOW_STEPS });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

/** The latest time step whose code is accepted at `now`. */
export const latestStep = (now: Date): number =>
  Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + WINDOW_STEPS;

/** The code at a time; for tools and tests that simulate a phone. */
export const codeAt = (secret: Buffer, now: Date): string =>
  createTotp(secret).generate({ timestamp: now.getTime() });
