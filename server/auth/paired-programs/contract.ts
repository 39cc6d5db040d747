import * as v from 'valibot';

/** What every device token begins with. */
export const TOKEN_PREFIX = 'almd_';
/** Seconds for which a pairing code stands. */
export const CODE_SECONDS = 120;
/** Signs of a code that a person types: no 0, O, 1, I, L, U. */
export const CODE_SIGNS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const CODE_LENGTH = 8;
/** Programs that one person may have connected. */
export const DEVICES_MOST = 25;
const BAD_CODE = 'Enter the code as it is shown: 8 letters and digits.';
const BAD_CHALLENGE = 'The link is incomplete. Start again from the program.';
const BAD_NAME = 'Say what this computer is called.';
const tidy = (most: number) =>
  v.pipe(
    v.string(BAD_NAME),
    v.transform((text) => text.normalize('NFC').replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')),
    v.trim(),
    v.nonEmpty(BAD_NAME),
    v.transform((text) => [...text].slice(0, most).join('')),
  );

export const PLATFORMS = ['win-x64', 'linux-x64'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** `POST /api/desktop/authorize`, by the page in the signed-in browser. Answers `PairingCode`. */
export const authorizeDevice = v.object({
  /** Base64url of the SHA-256 of the program's verifier; left out for a code that a person types. */
  challenge: v.optional(
    v.nullable(v.pipe(v.string(BAD_CHALLENGE), v.regex(/^[\w-]{43}$/, BAD_CHALLENGE))),
    null,
  ),
  /** What the computer is called; left out where the program says it itself. */
  name: v.optional(v.nullable(tidy(60)), null),
});
export type AuthorizeDevice = v.InferOutput<typeof authorizeDevice>;

/** `POST /api/desktop/token`, by the program, without a token. Answers `Paired`; 422 on `code` when that is wrong, used or too old. */
export const claimToken = v.object({
  /** A typed code in any case, with blanks and dashes. */
  code: v.pipe(v.string(BAD_CODE), v.trim(), v.nonEmpty(BAD_CODE), v.maxLength(100, BAD_CODE)),
  /** 43 to 128 characters; needed exactly for a code that was made with a challenge. */
  verifier: v.optional(v.pipe(v.string(BAD_CHALLENGE), v.regex(/^[\w.~-]{43,128}$/, BAD_CHALLENGE))),
  /** What the computer is called: the host name. Longer than 60 characters is cut. */
  name: tidy(60),
  platform: v.picklist(PLATFORMS, 'This program is not made for a system that the vault knows.'),
  /** The program's own, `1.4.0`. */
  version: v.pipe(v.string('Say the version.'), v.regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, 'Say the version.')),
});
export type ClaimToken = v.InferOutput<typeof claimToken>;

/** A program that uploads for its owner, as the list of signed-in devices shows it. */
export interface ProgramView {
  id: number;
  /** What the computer is called. */
  name: string;
  platform: string;
  /** `1.4.0`, as it said last. */
  version: string;
  /** From where it was used last, in words. */
  place: string;
  /** ISO 8601, UTC. */
  connected_at: string;
  last_used_at: string;
}

/** What a program is given in exchange for a code. */
export interface NewProgram {
  /** Shown this once. */
  token: string;
  id: number;
  name: string;
  userId: number;
}
