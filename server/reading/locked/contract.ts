import * as v from 'valibot';

/** The answer of `GET /api/documents/:id/password`: what opens a locked PDF; null when nobody knows it yet. */
export interface PdfPassword {
  password: string | null;
}

export const PASSWORD_MAX = 127;

export const typedPassword = v.object({
  password: v.pipe(
    v.string('Enter the password of the document.'),
    v.minLength(1, 'Enter the password of the document.'),
    v.maxLength(PASSWORD_MAX, 'A password of a PDF has at most 127 characters.'),
  ),
  /** Whether other documents of the same client are tried with it. */
  remember: v.optional(v.boolean(), false),
});

export const passwordUrl = (itemId: number): string => `/api/documents/${itemId}/password`;
/** The document without its lock, to be saved. */
export const unlockedUrl = (itemId: number): string => `/api/documents/${itemId}/unlocked`;

/** What the server sends to the process that opens locked PDFs. */
export interface UnlockOrder {
  bytes: Uint8Array;
  passwords: string[];
  /** Whether the document is to be written without its lock. */
  write: boolean;
}

export type MadeUnlocked =
  | {
      /** The place of the password that opens it, from 0. */
      password: number;
      /** The document without its lock; empty unless it was asked for. */
      unlocked: Uint8Array;
    }
  | { locked: true }
  | { unreadable: string };
