import type { Language } from '#server/text/language.ts';

/** An e-mail as its writer thinks of it; how it looks as text and as HTML is the mail module's business. */
export interface Email {
  subject: string;
  /** From top to bottom. */
  parts: readonly EmailPart[];
}

export type EmailPart =
  /** A paragraph. */
  | string
  /** A button that leads to `href`; in plain text, the address on a line of its own. */
  | { action: string; href: string }
  /** Lines such as `Browser: Firefox on Windows`. */
  | { facts: readonly (readonly [label: string, value: string])[] }
  /** A paragraph in small print. */
  | { note: string };

/** An e-mail that failed, or that is tried again, as an admin of the installation sees it. */
export interface Undelivered {
  id: number;
  /** `module.noun`, such as `team.invitation`. */
  kind: string;
  /** Null when nothing of it is left. */
  to: string | null;
  firm: string | null;
  /** What the mail server said. */
  reason: string;
  attempts: number;
  /** ISO 8601, UTC. */
  created_at: string;
  /** Whether it is tried again by itself; otherwise it was given up. */
  waiting: boolean;
  /** Whether enough of it is left to send it. */
  can_send: boolean;
}

export interface Attachment {
  /** As the receiver sees it: `Invoice 2026-27-0001.pdf`. */
  name: string;
  /** Such as `application/pdf`. */
  type: string;
  content: Buffer;
}

export interface Sending {
  to: { name: string; email: string };
  /** The firm in whose name it goes out; left out, the product's. */
  firm?: string | undefined;
  /** The firm whose turn it takes, so that one which sends many keeps no other waiting. */
  firmId?: number | undefined;
  /** `module.noun`, such as `auth.reset`; for the log and the file's name. */
  kind: `${string}.${string}`;
  email: Email;
  /** The language of `email`; English when left out. */
  language?: Language | undefined;
  attachments?: readonly Attachment[] | undefined;
  /** After this it is no use any more and is not sent; three days from now when left out. */
  expiresAt?: Date | undefined;
}
