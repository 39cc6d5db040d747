import * as v from 'valibot';
import { typedLine } from '#server/text/typed.ts';

/** The prefix of every device token. */
export const TOKEN_PREFIX = 'almd_';
/** The lifetime of a pairing code, in seconds. */
export const CODE_SECONDS = 120;
/** Characters of a typed code, without the ambiguous 0, O, 1, I, L and U. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const CODE_LENGTH = 8;
/** Connected programs per user. */
export const MAX_PROGRAMS = 25;
const BAD_CODE = 'Enter the code as it is shown: 8 letters and digits.';
const BAD_CHALLENGE = 'The link is incomplete. Start again from the program.';
const BAD_NAME = 'Say what this computer is called.';
const trimmedName = (maxLength: number) =>
  v.pipe(
    v.string(BAD_NAME),
    v.transform(typedLine),
    v.nonEmpty(BAD_NAME),
    v.transform((text) => [...text].slice(0, maxLength).join('')),
  );

export const PLATFORMS = ['win-x64', 'linux-x64'] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * `POST /api/desktop/authorize`, called by the page in the signed-in browser; responds with `PairingCode`. 403
 * `proof_needed` unless the user has confirmed their identity within the last minutes.
 */
export const authorizeDevice = v.object({
  /** The PKCE challenge: base64url of the SHA-256 of the program's verifier; null for a code that a person types. */
  challenge: v.optional(
    v.nullable(v.pipe(v.string(BAD_CHALLENGE), v.regex(/^[\w-]{43}$/, BAD_CHALLENGE))),
    null,
  ),
  /** The name of the computer; null where the program sends it itself. */
  name: v.optional(v.nullable(trimmedName(60)), null),
});
export type AuthorizeDevice = v.InferOutput<typeof authorizeDevice>;

/**
 * `POST /api/desktop/token`, called by the program without a token; responds with `Paired`. 422 on `code` when the
 * code is wrong, used or expired.
 */
export const claimToken = v.object({
  /** A typed code may have any case, blanks and dashes. */
  code: v.pipe(v.string(BAD_CODE), v.trim(), v.nonEmpty(BAD_CODE), v.maxLength(100, BAD_CODE)),
  /** The PKCE verifier, 43 to 128 characters; required exactly for a code that was created with a challenge. */
  verifier: v.optional(v.pipe(v.string(BAD_CHALLENGE), v.regex(/^[\w.~-]{43,128}$/, BAD_CHALLENGE))),
  /** The host name of the computer, cut to 60 characters. */
  name: trimmedName(60),
  platform: v.picklist(PLATFORMS, 'This program is not made for a system that the vault knows.'),
  /** The version of the program, `1.4.0`. */
  version: v.pipe(v.string('Say the version.'), v.regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, 'Say the version.')),
});
export type ClaimToken = v.InferOutput<typeof claimToken>;

/** A connected program, as the list of signed-in devices shows it. */
export interface ProgramView {
  id: number;
  /** The name of the computer. */
  name: string;
  platform: string;
  /** The last reported version, `1.4.0`. */
  version: string;
  /** The network of the last use, in words. */
  place: string;
  /** ISO 8601, UTC. */
  connected_at: string;
  last_used_at: string;
}

/** The response to a valid pairing code. */
export interface NewProgram {
  /** Shown this once. */
  token: string;
  id: number;
  name: string;
  userId: number;
}
