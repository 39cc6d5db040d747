/** The cookie of a sender's browser; its path is that of the link, so that every link has its own. */
export const SENDER_COOKIE = 'almirah_send';
/** How long a browser keeps it, and can resume an upload. */
export const SENDER_COOKIE_MS = 30 * 24 * 60 * 60_000;

/** The header with the CSRF token of a script request from one of our pages. */
export const FORM_HEADER = 'x-form';

/** More photos become a second PDF, since all pages of one are in memory while it is made. */
export const PHOTOS_PER_PDF = 60;

/** The limits of a link. */
export interface Allowance {
  /** Bytes of one file. */
  file: number;
  /** The total size, and the number of files. */
  bytes: number;
  files: number;
  /** Whether only PDFs and images are accepted. */
  papers?: boolean;
}

/** A link by which people outside a firm send files in. */
export interface Door {
  /** `request:17`. */
  key: string;
  firmId: number;
  firm: string;
  /** The user who owns received files. */
  ownerId: number;
  clientId: number | null;
  /** The sender's name in the history. */
  sender: string;
  allows: Allowance;
}

/** A visitor with a link for sending files. */
export interface Sender {
  token: string;
  /** '' without one. */
  cookie: string;
  ip: string;
}

/**
 * `staged`: stored, but not yet in the drive. `held`: waits for the virus scan. `filed`: in the drive. `refused`: not
 * kept, or taken back by its sender.
 */
const ARRIVAL_STATES = ['staged', 'held', 'filed', 'refused'] as const;
export type ArrivalState = (typeof ARRIVAL_STATES)[number];

/** Why a file was refused, or a fact about it; the pages have texts for each in every language. */
const REASONS = [
  'empty',
  'program',
  'not_what_it_says',
  'kind',
  'infected',
  'locked',
  'closed',
  'lost',
  'taken_back',
] as const;
export type Reason = (typeof REASONS)[number];

/** What the office has decided about a received file: `returned` is sent back with a reason. */
export type Verdict = 'accepted' | 'returned';

/** A received file, as sender and office see it. */
export interface ArrivalView {
  id: number;
  slot: number | null;
  /** The id shared by photos that are pages of one document. */
  batch: string | null;
  /** Which of the PDFs of these photos it is in, from 1: many photos become several. */
  part: number;
  name: string;
  size: number;
  state: ArrivalState;
  /** For a kept file: `locked` when it is password-protected. */
  reason: Reason | null;
  /** Null while the file is not in the drive, or no longer. */
  item_id: number | null;
  /** Null before the office has decided. */
  judged: Verdict | null;
  /** Why it was sent back; null when it was not, or in an earlier version, which did not record it. */
  judged_reason: string | null;
  judged_at: string | null;
  created_at: string;
  /** When it was added to the drive; null before. */
  filed_at: string | null;
}

/** The response to a received file. */
export interface Taken {
  arrival: ArrivalView;
  /** Whether the same file was sent before and is kept once. */
  again: boolean;
}

/** The response to photos that were to become a PDF. */
export interface BoundPhotos {
  /** The names of those that could not be read, which stay files of their own, in the order in which they were chosen. */
  unread: string[];
}

export const CUT_OFF = 'The upload was interrupted. Please try again.';
export const TOO_MANY_FILES = 'These are too many files at once. Send them in several goes.';

/** The name of a PDF of photos. @param part from 1: many photos become several PDFs. */
export const photosName = (title: string, part: number): string =>
  `${title}${part > 1 ? ` part ${part}` : ''}.pdf`;

/** The result for one file of a plain form. */
export type FormFile = { slot: number | null; name: string } & ({ taken: Taken } | { code: string });

/** Refused files that the page names. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 100;

export const refusedOf = (files: readonly FormFile[]) =>
  files.flatMap((file) => ('code' in file ? [file] : []));

/** The refused files of a form with their reasons, and how many more there are, for the query of a page. */
export function refusedQuery(files: readonly FormFile[]): [name: string, value: string][] {
  const refused = refusedOf(files);
  const named = refused.slice(0, MAX_NAMED).flatMap(({ code, name }): [string, string][] => [
    ['refused', code],
    ['file', name.slice(0, MAX_NAME_LENGTH)],
  ]);
  return refused.length > MAX_NAMED ? [...named, ['more', String(refused.length - MAX_NAMED)]] : named;
}
