import * as v from 'valibot';

/** The response of `GET /api/documents/:id/password`: the password of a locked PDF; null while it is not known. */
export interface PdfPassword {
  password: string | null;
}

const PASSWORD_MAX = 127;

export const typedPassword = v.object({
  password: v.pipe(
    v.string('Enter the password of the document.'),
    v.minLength(1, 'Enter the password of the document.'),
    v.maxLength(PASSWORD_MAX, 'A password of a PDF has at most 127 characters.'),
  ),
  /** Whether to try it on other documents of the same client. */
  remember: v.optional(v.boolean(), false),
});

export const passwordUrl = (itemId: number): string => `/api/documents/${itemId}/password`;
/** Downloads the document without its password. */
export const unlockedUrl = (itemId: number): string => `/api/documents/${itemId}/unlocked`;

/** The request to the process that opens locked PDFs. */
export interface UnlockRequest {
  bytes: Uint8Array;
  passwords: string[];
  /** Whether to write a copy without the password. */
  write: boolean;
}

export type UnlockResult =
  | {
      /** The index of the password that opens it. */
      password: number;
      /** The copy without the password; empty unless `write` is set. */
      unlocked: Uint8Array;
    }
  | { locked: true }
  | { unreadable: string };
