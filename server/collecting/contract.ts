/** The cookie of a sender's browser; its path is the link's, so that each link has one of its own. */
export const SENDER_COOKIE = 'almirah_send';

/** What a browser may send as it; anything else is as good as none. */
export const isSenderCookie = (text: string | undefined): text is string => /^[\w-]{43}$/.test(text ?? '');

/** The header of a script's request by which it proves to be a page's of ours. */
export const FORM_HEADER = 'x-form';

/** Photographs of one document. */
export const PHOTOS_MAX = 60;

/** What may come in by a link. */
export interface Allowance {
  /** Bytes of one file. */
  file: number;
  /** Bytes of all that has come by it, and how many files that may be. */
  bytes: number;
  files: number;
  /** Only PDFs and pictures, rather than everything that the vault takes. */
  papers?: boolean;
}

/** A link by which people outside of a firm send files in, as it stands now. */
export interface Door {
  /** `request:17`. */
  key: string;
  firmId: number;
  firm: string;
  /** In whose name what comes is put into the drive. */
  ownerId: number;
  clientId: number | null;
  /** As the history says who sends. */
  sender: string;
  allows: Allowance;
}

/** Somebody who comes with a link by which files are sent in. */
export interface Sender {
  token: string;
  /** '' without one. */
  cookie: string;
  ip: string;
}

/**
 * `staged`: safe, and not yet in the drive. `held`: waits until it was looked at for viruses. `filed`: in the drive.
 * `refused`: not kept.
 */
const ARRIVAL_STATES = ['staged', 'held', 'filed', 'refused'] as const;
export type ArrivalState = (typeof ARRIVAL_STATES)[number];

/** Why something was not kept, or what is to be known of it; the pages have words for each, in each language. */
export const REASONS = [
  'empty',
  'program',
  'not_what_it_says',
  'kind',
  'infected',
  'locked',
  'closed',
  'lost',
] as const;
export type Reason = (typeof REASONS)[number];

/** Something that was sent, as both sides see it. */
export interface ArrivalView {
  id: number;
  slot: number | null;
  /** Photographs that bear one mark are pages of one document. */
  batch: string | null;
  name: string;
  size: number;
  state: ArrivalState;
  /** Of what is kept: `locked`, where it opens only with a password. */
  reason: Reason | null;
  /** Null while it is not in the drive, or not any more. */
  item_id: number | null;
  /** Sent before the same thing was asked for again. */
  superseded: boolean;
  created_at: string;
}

/** The answer to something that was sent. */
export interface Taken {
  arrival: ArrivalView;
  /** That the same had been sent before, and is kept once. */
  again: boolean;
}

export const CUT_OFF = 'The upload was interrupted. Please try again.';
export const TOO_MANY_FILES = 'These are too many files at once. Send them in several goes.';
