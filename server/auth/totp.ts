import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const PERIOD = 30;
/** Clocks of phones differ; one step each way is what RFC 6238 advises. */
const WINDOW = 1;

const make = (secret: Buffer, issuer = '', label = '') =>
  new TOTP({
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD,
  });

/** 160 bits, as RFC 4226 asks. */
export const newTotpSecret = (): Buffer => randomBytes(20);

/** For typing into an app by hand: base32 in groups of four. */
export const typedSecret = (secret: Buffer): string =>
  make(secret)
    .secret.base32.replace(/(.{4})(?=.)/g, '$1 ')
    .trim();

/** The `otpauth:` address that the QR code holds. */
export const totpAddress = (secret: Buffer, issuer: string, label: string): string =>
  make(secret, issuer, label).toString();

/** The time step that the code belongs to; null when it belongs to none near `now`. */
export function stepOf(secret: Buffer, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = make(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD) + delta;
}

/** The latest time step whose code is taken at `now`. */
export const latestStep = (now: Date): number => Math.floor(now.getTime() / 1000 / PERIOD) + WINDOW;

/** The code at a moment; for tools and tests that stand in for a phone. */
export const codeAt = (secret: Buffer, now: Date): string =>
  make(secret).generate({ timestamp: now.getTime() });
