import * as v from 'valibot';
import type { Reason, Verdict } from '#server/collecting/contract.ts';
import { isCalendarDay } from '#server/text/calendar-day.ts';
import { notAnAddress } from '#server/text/email-addresses.ts';
import type { Language } from '#server/text/language.ts';
import { LANGUAGES } from '#server/text/language.ts';
import { fold } from '#server/text/fold.ts';
import { typedLine, typedLines } from '#server/text/typed.ts';

/**
 * The state of a requested document. `returned`: the office has sent it back with a reason. `unavailable`: the client
 * does not have it.
 */
const ROW_STATES = ['wanted', 'received', 'accepted', 'returned', 'unavailable'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** `complete`: the office has accepted every row. `closed`: the office has ended the request earlier. */
const REQUEST_STATES = ['open', 'complete', 'closed'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

export const MAX_ROWS = 100;
export const MAX_CLIENTS = 500;
const MAX_ROW_NAME_LENGTH = 200;
const MAX_NOTE_LENGTH = 2000;
export const MAX_REASON_LENGTH = 500;
/** The client is told of everything that was sent back when nothing was judged for so long. */
export const RETURNS_DELAY_MINUTES = 5;
const MB = 1024 * 1024;
/** The limits for everything received through one request. */
export const REQUEST_ALLOWANCE = { file: 250 * MB, bytes: 4096 * MB, files: 2000 };

/** A file received for a row. */
export interface RequestFile {
  id: number;
  name: string;
  size: number;
  /** `locked` for a password-protected file. */
  reason: Reason | null;
  /** Null while it is not in the drive, or when the actor does not see it there. */
  item_id: number | null;
  /** Whether it is in Trash, where the actor may look. */
  in_trash: boolean;
  /** Whether it is not in the drive yet: photos wait for the others of their document, and files for the virus scan. */
  is_waiting: boolean;
  /** Whether nobody in the office has opened it yet. */
  is_new: boolean;
  /** What the office has decided about it by itself; null before. An accepted row accepts its other files too. */
  judged: Verdict | null;
  /** Why it was sent back; null when it was not, or when an earlier version did not record it. */
  judged_reason: string | null;
  created_at: string;
}

export interface RequestRow {
  id: number;
  name: string;
  state: RowState;
  /** Why the office sent it back, or why the client does not have it, also after that was accepted. */
  reason: string | null;
  files: RequestFile[];
}

/** Days before the due date, on the due date, and the interval in days after it. */
export interface Reminders {
  before: number | null;
  on: boolean;
  after: number | null;
}

/** The reminders that a new request is offered with. */
export const DEFAULT_REMINDERS = { before: 3, on: true, after: 7 } as const satisfies Reminders;

/** A request in the list of the firm. */
export interface RequestSummary {
  id: number;
  title: string;
  client: { id: number; name: string };
  made_by: { id: number; name: string };
  state: RequestState;
  /** Who has to act next; null for a finished request. */
  waiting_for: 'client' | 'office' | null;
  /** Documents that the office has to accept or send back, also while others are missing; 0 for a finished request. */
  to_judge: number;
  /** When the client declared everything sent, with the last receipt; null while the office asks for more. */
  done: { at: string; receipt: string } | null;
  /** The number of the last receipt, which the client may quote also after the office has asked for more. */
  receipt: string | null;
  /** A date in India. */
  due_on: string | null;
  overdue: boolean;
  /** By state; `unavailable` only without a file, also when that was accepted. */
  rows: { total: number; accepted: number; received: number; unavailable: number; wanted: number };
  /** Files that nobody in the office has opened yet. */
  fresh: number;
  has_email: boolean;
  opened: number;
  last_opened_at: string | null;
  /** `Office network (192.168.1.7)`. */
  last_opened_from: string | null;
  reminded_at: string | null;
  created_at: string;
}

/** A request with its rows and files. */
export interface RequestView extends Omit<RequestSummary, 'rows' | 'has_email'> {
  note: string;
  language: Language;
  email: string;
  reminders: Reminders;
  reminders_sent: number;
  /** When the client will be told by e-mail of what was sent back; null when there is nothing to tell. */
  tells_at: string | null;
  /** The folder for received files; null before the first file, or when the actor does not see it. */
  folder_id: number | null;
  rows: RequestRow[];
}

/** The link for passing on by hand. */
export interface RequestLink {
  url: string;
  /** A ready-made text that contains the link. */
  message: string;
  /** The ten-digit number; null when the client has none. */
  phone: string | null;
}

export interface CreatedRequests {
  made: RequestSummary[];
  /** Names of clients without an e-mail address: their links must be passed on by hand. */
  without_email: string[];
}

export interface RequestTemplate {
  /** A number for a template of the firm, a word for a built-in one. */
  id: string;
  name: string;
  rows: string[];
  own: boolean;
}

const ID = 'Choose from the list';
const id = v.pipe(v.number(ID), v.safeInteger(ID), v.minValue(1, ID));
const NAME = 'Say what you need';
const rowName = v.pipe(
  v.string(NAME),
  v.transform(typedLine),
  v.minLength(1, NAME),
  v.maxLength(MAX_ROW_NAME_LENGTH, `Use at most ${MAX_ROW_NAME_LENGTH} characters`),
);
const TITLE = 'Give the request a name';
const title = v.pipe(
  v.string(TITLE),
  v.transform(typedLine),
  v.minLength(1, TITLE),
  v.maxLength(120, 'Use at most 120 characters'),
);
const NO_DAY = 'Choose a day before the year 2100';
const day = v.pipe(
  v.string(NO_DAY),
  v.regex(/^20\d{2}-\d{2}-\d{2}$/, NO_DAY),
  v.check(isCalendarDay, NO_DAY),
);
const DAYS = 'Give a number of days from 1 to 60';
const days = v.nullable(v.pipe(v.number(DAYS), v.integer(DAYS), v.minValue(1, DAYS), v.maxValue(60, DAYS)));
const NO_EMAIL = 'This is no e-mail address';
const email = v.pipe(
  v.string(NO_EMAIL),
  v.trim(),
  v.toLowerCase(),
  v.check((text) => text === '' || notAnAddress([text]) === undefined, NO_EMAIL),
);
const language = v.picklist(LANGUAGES, 'Choose a language');
const settings = {
  title,
  note: v.optional(
    v.pipe(
      v.string(),
      v.transform(typedLines),
      v.maxLength(MAX_NOTE_LENGTH, `Use at most ${MAX_NOTE_LENGTH} characters`),
    ),
    '',
  ),
  due_on: v.optional(v.nullable(day), null),
  language: v.optional(language, 'en'),
  reminders: v.optional(v.object({ before: days, on: v.boolean(), after: days }), {
    before: null,
    on: false,
    after: null,
  }),
};
const NO_ROWS = 'Ask for at least one document';
/** The first new document that is in the list a second time: the client would be asked twice for it. */
function repeated(rows: readonly { id: number | null; name: string }[]): string | undefined {
  const namesakes = Map.groupBy(rows, ({ name }) => fold(name));
  return rows.find(({ id, name }) => id === null && namesakes.get(fold(name))!.length > 1)?.name;
}
const newRows = (names: readonly string[]) => names.map((name) => ({ id: null, name }));
const inListTwice = (name: string | undefined) => `“${name}” is in the list twice`;
const TOO_MANY_ROWS = `Ask for at most ${MAX_ROWS} documents at once`;

export const makeRequests = v.object({
  client_ids: v.pipe(
    v.array(id, 'Choose a client'),
    v.minLength(1, 'Choose a client'),
    v.maxLength(MAX_CLIENTS, `Choose at most ${MAX_CLIENTS} clients`),
  ),
  rows: v.pipe(
    v.array(rowName, NO_ROWS),
    v.minLength(1, NO_ROWS),
    v.maxLength(MAX_ROWS, TOO_MANY_ROWS),
    v.check(
      (names) => repeated(newRows(names)) === undefined,
      ({ input }) => inListTwice(repeated(newRows(input))),
    ),
  ),
  ...settings,
  /** That of each client when left out; otherwise it becomes theirs. */
  language: v.optional(language),
  /** Whether to send the link by e-mail immediately. */
  send: v.optional(v.boolean(), true),
});
export type MakeRequests = v.InferOutput<typeof makeRequests>;

export const changeRequest = v.object({
  ...settings,
  email,
  rows: v.pipe(
    v.array(v.object({ id: v.optional(v.nullable(id), null), name: rowName }), NO_ROWS),
    v.minLength(1, NO_ROWS),
    v.maxLength(MAX_ROWS, TOO_MANY_ROWS),
    v.check(
      (rows) => repeated(rows) === undefined,
      ({ input }) => inListTwice(repeated(input)),
    ),
  ),
});
export type ChangeRequest = v.InferOutput<typeof changeRequest>;

const WHY = 'Say why, so that the client knows what to do';
/** The judgement of a row, and of one of its files; `received` takes one back. */
export const judgeRow = v.pipe(
  v.object({
    state: v.picklist(['accepted', 'returned', 'received'], 'Accept it or send it back'),
    reason: v.optional(
      v.pipe(
        v.string(),
        v.transform(typedLines),
        v.maxLength(MAX_REASON_LENGTH, `Use at most ${MAX_REASON_LENGTH} characters`),
      ),
      '',
    ),
    /** Whether a file is sent back although it, or its line, was accepted meanwhile. */
    overrule: v.optional(v.boolean()),
  }),
  v.forward(
    v.check(({ state, reason }) => state !== 'returned' || reason !== '', WHY),
    ['reason'],
  ),
);
export type JudgeRow = v.InferOutput<typeof judgeRow>;

const number = v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, ID), v.transform(Number)));
export const requestsQuery = v.object({
  /** `over` means complete or closed. */
  state: v.optional(v.picklist(['open', 'over', 'all'], 'Choose a state from the list')),
  client: number,
  /** The maximum number, newest first. */
  limit: number,
  /** Only requests created before the one with this id. */
  before: number,
});
export type RequestsQuery = Partial<v.InferOutput<typeof requestsQuery>>;

const CLIENT_IDS = `Give at most ${MAX_CLIENTS} ids of clients, with commas between`;
export const languagesQuery = v.object({
  clients: v.pipe(
    v.string(CLIENT_IDS),
    v.regex(/^[1-9]\d{0,14}(?:,[1-9]\d{0,14})*$/, CLIENT_IDS),
    v.transform((text) => text.split(',').map(Number)),
    v.maxLength(MAX_CLIENTS, CLIENT_IDS),
  ),
});

export const saveTemplate = v.object({
  name: v.pipe(
    v.string('Give the template a name'),
    v.transform(typedLine),
    v.minLength(1, 'Give the template a name'),
    v.maxLength(80, 'Use at most 80 characters'),
  ),
  rows: v.pipe(v.array(rowName, NO_ROWS), v.minLength(1, NO_ROWS), v.maxLength(MAX_ROWS, TOO_MANY_ROWS)),
  /** Whether the firm's template of this name is replaced; else it is refused with code `template_exists`. */
  replace: v.optional(v.boolean(), false),
});
export type SaveTemplate = v.InferOutput<typeof saveTemplate>;

/** A received file, as the client sees it. */
export interface AskedFile {
  id: number;
  name: string;
  size: string;
  /** The number of photos in the document; 0 for a file that was sent as it is. */
  photos: number;
  /** Whether the file is password-protected. */
  locked: boolean;
  /** Whether the office has accepted it. */
  accepted: boolean;
  /** Whether it can be taken back: the office has not opened, changed or judged it yet. */
  may_take_back: boolean;
}

/** A file that the office has sent back, as the client sees it; `reason` is null when it is that of the row. */
export interface ReturnedFile {
  id: number;
  name: string;
  reason: string | null;
}

/** A row as the client sees it. */
export interface AskedRow {
  id: number;
  name: string;
  /** `arriving`: received, but not in the drive yet. */
  state: RowState | 'arriving';
  reason: string | null;
  /** Without those that were sent back. */
  files: AskedFile[];
  /** None once the row is accepted. */
  returned: ReturnedFile[];
}

/** Whether the client has answered that there is no such document. A row that is accepted keeps the reason of that, which may be empty. */
export const isUnavailable = ({ state, reason }: Pick<AskedRow, 'state' | 'reason'>): boolean =>
  state === 'unavailable' || (state === 'accepted' && reason !== null);

/** Whether the client has to send something again; what it never sent, and wrote to be without, is asked for a first time. */
export const isSentBack = ({ state, files, returned }: AskedRow): boolean =>
  state === 'returned' && files.length + returned.length > 0;

/** The page of a request, as the client sees it. */
export type AskedPage =
  | { state: 'gone' }
  /** Closed, or while the firm has switched links off. Whoever has the real link learns whom to call. */
  | {
      state: 'closed';
      firm: string;
      logo: string | null;
      from: { name: string; email: string } | null;
      language: Language;
    }
  | {
      state: 'open' | 'complete';
      firm: string;
      /** The URL of the firm's logo; null without one. */
      logo: string | null;
      /** Null when the requester has left the firm. */
      from: { name: string; email: string } | null;
      client: string;
      title: string;
      note: string;
      language: Language;
      due_on: string | null;
      overdue: boolean;
      rows: AskedRow[];
      /** The last receipt; null before the first. */
      receipt: {
        number: string;
        files: number;
        made_at: string;
        /** How many files have come since, for which there can be a new one. */
        newer: number;
        /** How many of them the client has taken back since. */
        taken_back: number;
      } | null;
      /** Whether the client has declared everything sent, and the office has asked for nothing since. */
      done: boolean;
      /** The CSRF token for forms and scripts of the page. */
      form: string;
      /** The maximum size of one file. */
      file_bytes: number;
    };

/** The id shared by photos that become one document. */
export const bindPhotos = v.object({ batch: v.pipe(v.string(), v.regex(/^[\w-]{8,64}$/)) });
