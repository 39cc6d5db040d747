import * as v from 'valibot';
import type { Reason } from '#server/collecting/contract.ts';
import type { Language } from '#server/text/language.ts';
import { LANGUAGES } from '#server/text/language.ts';

/**
 * What has become of a single thing that was asked for. `returned`: the office has sent it back, with a reason.
 * `unavailable`: the client does not have it.
 */
const ROW_STATES = ['wanted', 'received', 'accepted', 'returned', 'unavailable'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** `complete`: the office has accepted every row. `closed`: the office has ended it before that. */
const REQUEST_STATES = ['open', 'complete', 'closed'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

export const ROWS_MAX = 100;
export const CLIENTS_MAX = 500;
const ROW_NAME_MAX = 200;
export const NOTE_MAX = 2000;
export const REASON_MAX = 500;

/** A file that came for a row. */
export interface RequestFile {
  id: number;
  name: string;
  size: number;
  /** `locked`, where it opens only with a password. */
  reason: Reason | null;
  /** Null while it is not in the drive, or when the asker does not see it there any more. */
  item_id: number | null;
  /** Nobody of the office has opened it yet. */
  is_new: boolean;
  /** Sent before the office asked for the row again. */
  superseded: boolean;
  created_at: string;
}

export interface RequestRow {
  id: number;
  name: string;
  state: RowState;
  /** Why it was sent back, or why the client does not have it. */
  reason: string | null;
  files: RequestFile[];
}

/** Days before the due day, on it, and every so many days after it. */
export interface Reminders {
  before: number | null;
  on: boolean;
  after: number | null;
}

/** A request as the list of the firm shows it. */
export interface RequestSummary {
  id: number;
  title: string;
  client: { id: number; name: string };
  made_by: { id: number; name: string };
  state: RequestState;
  /** Who has to do something next; null when it is over. */
  waiting_for: 'client' | 'office' | null;
  /** When the client said that everything is sent, with the last receipt; null while the office asks for more. */
  done: { at: string; receipt: string } | null;
  /** A day in India. */
  due_on: string | null;
  overdue: boolean;
  rows: { total: number; accepted: number; received: number; unavailable: number; wanted: number };
  /** Files that nobody of the office has opened yet. */
  fresh: number;
  has_email: boolean;
  opened: number;
  last_opened_at: string | null;
  /** `Office network (192.168.1.7)`. */
  last_opened_from: string | null;
  reminded_at: string | null;
  created_at: string;
}

/** A request with all that is in it. */
export interface RequestView extends Omit<RequestSummary, 'rows' | 'has_email'> {
  note: string;
  language: Language;
  email: string;
  reminders: Reminders;
  reminders_sent: number;
  /** Into which what comes is put; null before something came, or when the asker does not see it. */
  folder_id: number | null;
  rows: RequestRow[];
}

/** How the link is passed on by hand. */
export interface RequestLink {
  url: string;
  /** A ready text, with the link. */
  message: string;
  /** Ten digits; null where the client has none. */
  phone: string | null;
}

export interface MadeRequests {
  made: RequestSummary[];
  /** Names of clients who have no e-mail address: their links are to be passed on by hand. */
  without_email: string[];
}

export interface RequestTemplate {
  /** A firm's own has a number. */
  id: string;
  name: string;
  rows: string[];
  own: boolean;
}

const ID = 'Choose from the list';
const id = v.pipe(v.number(ID), v.integer(ID), v.minValue(1, ID));
const NAME = 'Say what you need';
const rowName = v.pipe(
  v.string(NAME),
  v.trim(),
  v.minLength(1, NAME),
  v.maxLength(ROW_NAME_MAX, `Use at most ${ROW_NAME_MAX} characters`),
);
const TITLE = 'Give the request a name';
const title = v.pipe(
  v.string(TITLE),
  v.trim(),
  v.minLength(1, TITLE),
  v.maxLength(120, 'Use at most 120 characters'),
);
const NO_DAY = 'Choose a day';
const day = v.pipe(
  v.string(NO_DAY),
  v.regex(/^20\d{2}-\d{2}-\d{2}$/, NO_DAY),
  v.check((text) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`)), NO_DAY),
);
const DAYS = 'Give a number of days from 1 to 60';
const days = v.nullable(v.pipe(v.number(DAYS), v.integer(DAYS), v.minValue(1, DAYS), v.maxValue(60, DAYS)));
const NO_EMAIL = 'This is no e-mail address';
const email = v.pipe(
  v.string(NO_EMAIL),
  v.trim(),
  v.toLowerCase(),
  v.check(
    (text) => text === '' || (text.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(text)),
    NO_EMAIL,
  ),
);
const settings = {
  title,
  note: v.optional(
    v.pipe(v.string(), v.trim(), v.maxLength(NOTE_MAX, `Use at most ${NOTE_MAX} characters`)),
    '',
  ),
  due_on: v.optional(v.nullable(day), null),
  language: v.optional(v.picklist(LANGUAGES, 'Choose a language'), 'en'),
  reminders: v.optional(v.object({ before: days, on: v.boolean(), after: days }), {
    before: null,
    on: false,
    after: null,
  }),
};
const NO_ROWS = 'Ask for at least one document';
const TOO_MANY_ROWS = `Ask for at most ${ROWS_MAX} documents at once`;

export const makeRequests = v.object({
  client_ids: v.pipe(
    v.array(id, 'Choose a client'),
    v.minLength(1, 'Choose a client'),
    v.maxLength(CLIENTS_MAX, `Choose at most ${CLIENTS_MAX} clients`),
  ),
  rows: v.pipe(v.array(rowName, NO_ROWS), v.minLength(1, NO_ROWS), v.maxLength(ROWS_MAX, TOO_MANY_ROWS)),
  ...settings,
  /** Whether the link goes out by e-mail at once. */
  send: v.optional(v.boolean(), true),
});
export type MakeRequests = v.InferOutput<typeof makeRequests>;

export const changeRequest = v.object({
  ...settings,
  email,
  rows: v.pipe(
    v.array(v.object({ id: v.optional(v.nullable(id), null), name: rowName }), NO_ROWS),
    v.minLength(1, NO_ROWS),
    v.maxLength(ROWS_MAX, TOO_MANY_ROWS),
  ),
});
export type ChangeRequest = v.InferOutput<typeof changeRequest>;

const WHY = 'Say why, so that the client knows what to do';
export const judgeRow = v.pipe(
  v.object({
    state: v.picklist(['accepted', 'returned', 'received'], 'Accept it or send it back'),
    reason: v.optional(
      v.pipe(v.string(), v.trim(), v.maxLength(REASON_MAX, `Use at most ${REASON_MAX} characters`)),
      '',
    ),
  }),
  v.forward(
    v.check(({ state, reason }) => state !== 'returned' || reason !== '', WHY),
    ['reason'],
  ),
);
export type JudgeRow = v.InferOutput<typeof judgeRow>;

const number = v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, ID), v.transform(Number)));
export const requestsQuery = v.object({
  /** `over`: complete or closed. */
  state: v.optional(v.picklist(['open', 'over', 'all'])),
  client: number,
  /** At most so many, the newest. */
  limit: number,
  /** Only those that were made before the one with this id. */
  before: number,
});
export type RequestsQuery = Partial<v.InferOutput<typeof requestsQuery>>;

export const saveTemplate = v.object({
  name: v.pipe(
    v.string('Give the template a name'),
    v.trim(),
    v.minLength(1, 'Give the template a name'),
    v.maxLength(80, 'Use at most 80 characters'),
  ),
  rows: v.pipe(v.array(rowName, NO_ROWS), v.minLength(1, NO_ROWS), v.maxLength(ROWS_MAX, TOO_MANY_ROWS)),
});
export type SaveTemplate = v.InferOutput<typeof saveTemplate>;

/** Something that has arrived, as the client sees it. */
export interface AskedFile {
  id: number;
  name: string;
  size: string;
  /** Of how many photographs it is made; 0 for a file that came as it is. */
  photos: number;
  /** It opens only with a password. */
  locked: boolean;
}

/** A row as the client sees it. */
export interface AskedRow {
  id: number;
  name: string;
  state: RowState;
  reason: string | null;
  files: AskedFile[];
}

/** What the client's page shows. */
export type AskedPage =
  | { state: 'gone' }
  | {
      state: 'open' | 'complete';
      firm: string;
      /** Where its logo is to be had; null without one. */
      logo: string | null;
      /** Null where the person who asks has left the firm. */
      from: { name: string; email: string } | null;
      client: string;
      title: string;
      note: string;
      language: Language;
      due_on: string | null;
      overdue: boolean;
      rows: AskedRow[];
      /** The last receipt; null before the first. */
      receipt: { number: string; files: number; made_at: string } | null;
      /** What a form and a script have to bring along. */
      form: string;
      /** Bytes of one file, at most. */
      file_bytes: number;
    };

/** The mark of photographs that are to become one document. */
export const bindPhotos = v.object({ batch: v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)) });
