import * as v from 'valibot';
import type { MaskReason } from '#server/masking/contract.ts';
import { isCalendarDay } from '#server/text/calendar-day.ts';
import { addressesIn, noAddress, notAnAddress } from '#server/text/email-addresses.ts';
import { atLeast } from '#server/text/length.ts';
import { LANGUAGES } from '#server/text/language.ts';

/** The cookie of a recipient's browser; its path is that of the link, so that every link has its own. */
export const COOKIE = 'almirah_share';

/** Who can open a link: anyone who has it, or named people who prove their address by a code. */
const AUDIENCES = ['anyone', 'named'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** Whether recipients may only view pages stamped with their name, or also download files. */
const SHARE_MODES = ['view', 'download'] as const;
export type ShareMode = (typeof SHARE_MODES)[number];

/** The state of a link. `gone`: none of its items exist any more, or its maker may no longer share them. */
export const SHARE_STATES = ['open', 'ended', 'used_up', 'revoked', 'gone'] as const;
export type ShareState = (typeof SHARE_STATES)[number];

export const DEFAULT_DAYS = 7;
/** The default maximum lifetime of a firm's links, in days. */
export const DEFAULT_MAX_DAYS = 90;
const MAX_DAYS = 365;
const MIN_PASSWORD_LENGTH = 8;
const MAX_RECIPIENTS = 50;
export const MAX_SHARED_ITEMS = 500;

export interface SharedItem {
  id: number;
  name: string;
  type: 'file' | 'folder';
  file_type: string | null;
  parent_id: number | null;
}

/** A link as the firm sees it; the token itself is not stored. */
export interface ShareView {
  id: number;
  state: ShareState;
  /** The items that the actor sees; empty when they are in Trash or deleted. */
  items: SharedItem[];
  client: { id: number; name: string } | null;
  made_by: { id: number; name: string };
  audience: Audience;
  /** In the order of entry; empty for `anyone`. */
  recipients: { email: string; last_opened_at: string | null }[];
  mode: ShareMode;
  has_password: boolean;
  max_downloads: number | null;
  downloads: number;
  notify: boolean;
  /** Whether a link for anyone also appears on its client's page. */
  on_portal: boolean;
  /** Aadhaar numbers are masked in everything that the link gives. */
  mask_aadhaar: boolean;
  /** Whether recipients see the pages of password-protected PDFs that the office has unlocked. */
  open_locked: boolean;
  opened: number;
  /** ISO 8601, UTC; null before the first opening. */
  last_opened_at: string | null;
  last_opened_by: string | null;
  /** `Office network (192.168.1.7)`. */
  last_opened_from: string | null;
  /** The last day, in India: `2026-11-29`. */
  expires_on: string;
  expires_at: string;
  created_at: string;
}

/** A new link or address; this response is the only place that shows the URL. */
export interface NewShare {
  share: ShareView;
  url: string;
}

export interface ShareSettings {
  enabled: boolean;
  max_days: number;
}

const IDS = 'Choose what to share';
const ids = v.pipe(
  v.array(v.pipe(v.number(IDS), v.safeInteger(IDS), v.minValue(1, IDS)), IDS),
  v.minLength(1, IDS),
  v.maxLength(MAX_SHARED_ITEMS, `Share at most ${MAX_SHARED_ITEMS} items by one link, or share their folder`),
);
const NO_DAY = 'Choose the last day';
const PASSWORD = `Give a password of at least ${MIN_PASSWORD_LENGTH} characters`;
const DOWNLOADS = 'Give a number from 1 to 10,000, or leave it empty';

const emails = v.pipe(
  v.string('Give at least one e-mail address'),
  v.transform(addressesIn),
  v.check(
    (all) => notAnAddress(all) === undefined,
    ({ input }) => noAddress(notAnAddress(input)),
  ),
  v.maxLength(MAX_RECIPIENTS, `Give at most ${MAX_RECIPIENTS} addresses`),
);

const settings = {
  audience: v.picklist(AUDIENCES, 'Choose who can open the link'),
  emails: v.optional(emails, ''),
  mode: v.picklist(SHARE_MODES, 'Choose whether it can be downloaded'),
  /** A date in India; the link is valid until the end of that day. */
  expires_on: v.pipe(
    v.string(NO_DAY),
    v.regex(/^20\d{2}-\d{2}-\d{2}$/, NO_DAY),
    v.check(isCalendarDay, NO_DAY),
  ),
  max_downloads: v.optional(
    v.nullable(
      v.pipe(
        v.number(DOWNLOADS),
        v.integer(DOWNLOADS),
        v.minValue(1, DOWNLOADS),
        v.maxValue(10_000, DOWNLOADS),
      ),
    ),
    null,
  ),
  notify: v.optional(v.boolean(), false),
  /** Only for links for anyone whose items all belong to one client: the link also appears on that client's page. */
  on_portal: v.optional(v.boolean()),
  // Omitted flags stay unchanged; their default is off.
  mask_aadhaar: v.optional(v.boolean()),
  open_locked: v.optional(v.boolean()),
};
const password = v.pipe(
  v.string(PASSWORD),
  atLeast(MIN_PASSWORD_LENGTH, PASSWORD),
  v.maxLength(200, 'This password is too long'),
);
const named = <T extends { audience: Audience; emails: string[] }>(of: T) =>
  of.audience === 'anyone' || of.emails.length > 0;
const NOBODY = 'Give at least one e-mail address';

export const makeShare = v.pipe(
  v.object({ ids, ...settings, password: v.optional(v.nullable(password), null) }),
  v.forward(v.check(named, NOBODY), ['emails']),
);
export type MakeShare = v.InferOutput<typeof makeShare>;

export const changeShare = v.pipe(
  // An omitted password stays unchanged; null removes it.
  v.object({ ...settings, password: v.optional(v.nullable(password)) }),
  v.forward(v.check(named, NOBODY), ['emails']),
);
export type ChangeShare = v.InferOutput<typeof changeShare>;

export const sendShare = v.object({
  url: v.string('Make a new address first'),
  emails: v.pipe(emails, v.minLength(1, NOBODY)),
  /** The language of the e-mail. */
  language: v.optional(v.picklist(LANGUAGES, 'Choose the language of the e-mail'), 'en'),
});
export const sharesNamed = v.object({ ids });
/** Checks what a link that masks Aadhaar numbers would give of these items. */
export const checkShare = v.object({
  ids,
  open_locked: v.optional(v.boolean(), false),
  /** Whether to start the missing preparation in the background. */
  prepare: v.optional(v.boolean(), false),
});
export const shareSettings = v.object({
  enabled: v.boolean('Choose whether links can be made'),
  max_days: v.pipe(
    v.number(`Give a number of days from 1 to ${MAX_DAYS}`),
    v.integer(`Give a number of days from 1 to ${MAX_DAYS}`),
    v.minValue(1, `Give a number of days from 1 to ${MAX_DAYS}`),
    v.maxValue(MAX_DAYS, `Give a number of days from 1 to ${MAX_DAYS}`),
  ),
});
const id = v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, 'A whole number'), v.transform(Number)));
/** Links per page; a shorter page is the last one. */
export const SHARES_PAGE = 100;
export const sharesQuery = v.object({
  item: id,
  client: id,
  state: v.optional(v.picklist(SHARE_STATES, 'Choose a state from the list')),
  /** The id of the last link on the previous page. */
  before: id,
});
export type SharesQuery = Partial<v.InferOutput<typeof sharesQuery>>;

/** How a file is displayed to a recipient; null for a file that can only be downloaded. */
export type Shown = 'picture' | 'pages' | 'video' | null;

/** A file or folder as a recipient sees it. */
export interface RecipientItem {
  id: number;
  name: string;
  type: 'file' | 'folder';
  file_type: string | null;
  /** `2.86 MB`; for a folder the number of items. */
  size: string;
  /** ISO 8601, UTC. */
  modified_at: string;
  shown: Shown;
  has_thumbnail: boolean;
  /** Why a link that masks Aadhaar numbers withholds the file, `waiting` while it is prepared; null when it is given. */
  withheld: MaskReason | 'waiting' | null;
}

/** The heading of every page for an admitted recipient. */
export interface RecipientHead {
  firm: string;
  /** The URL of the firm's logo; null without one. */
  logo: string | null;
  from: string;
  /** The name of the shared item, or the number of items. */
  title: string;
  /** The last day, in India. */
  until: string;
  may_download: boolean;
  /** How often it may still be downloaded; null without a limit. */
  downloads_left: number | null;
  /** Whether Aadhaar numbers are masked. */
  masked: boolean;
  /** Whether the share contains a folder, whose contents may still grow. */
  lives: boolean;
  /** The CSRF token of the page's forms. */
  form: string;
}

/** A part of a file: an entry of a ZIP by its path, or an attachment of an e-mail by its index. */
export type InnerRef = { entry: string } | { attachment: number };

/** The requested part of a file; null for the file itself. */
export function innerRefIn(fields: URLSearchParams): InnerRef | null {
  const [entry, attachment] = [fields.get('entry'), Number(fields.get('attachment'))];
  if (entry !== null) return { entry };
  return attachment > 0 ? { attachment } : null;
}

/** The contents of a file: a folder of a ZIP, or the attachments of an e-mail. */
export interface Inside {
  of: 'zip' | 'mail';
  /** The folder within the ZIP, names joined by `/`; '' for the root. */
  path: string;
  entries: {
    name: string;
    type: 'folder' | 'file';
    file_type: string | null;
    /** The unpacked size, `2.86 MB`. */
    size: string;
    /** The key for requesting it: a path in the ZIP, or the index of an attachment. */
    key: string;
    /** Whether the entry is password-protected. */
    locked: boolean;
    /** Whether this recipient may view its pages. */
    shown: boolean;
  }[];
  /** The number of further entries that are not listed. */
  more: number;
}

export type RecipientPage =
  | { state: 'gone' }
  /** For a visitor who was inside before: the allowed downloads are used up, or the last day is over. */
  | { state: 'used_up' | 'ended'; firm: string; logo: string | null; from: string; until: string }
  /** What the visitor must enter first. */
  | { state: 'code' | 'email' | 'password'; firm: string; logo: string | null; form: string }
  | {
      state: 'open';
      head: RecipientHead;
      /** The folders from the shared item down to the displayed one; empty at the top. */
      crumbs: { id: number; name: string }[];
      items: RecipientItem[];
      next: string | null;
    }
  | {
      state: 'file';
      head: RecipientHead;
      crumbs: { id: number; name: string }[];
      item: RecipientItem;
      /** The number of pages; 0 with a reason in `why`, and of a picture that is shown as it is. */
      pages: number;
      why: string | null;
      inside: Inside | null;
    }
  | {
      state: 'inner';
      head: RecipientHead;
      crumbs: { id: number; name: string }[];
      /** The ZIP, or the e-mail. */
      item: RecipientItem;
      entry: { of: 'zip' | 'mail'; key: string; name: string; file_type: string | null; size: string };
      /** The number of pages; 0 with a reason in `why`. */
      pages: number;
      why: string | null;
    };

/** A link as a client's page lists it. */
export interface SharedWith {
  link_id: number;
  /** The name of the shared item, or of the first of several with the number of the others. */
  title: string;
  /** The extension of a single shared file; null for folders and for several items. */
  file_type: string | null;
  from: string;
  /** The last day, in India. */
  until: string;
  may_download: boolean;
  lives: boolean;
  has_password: boolean;
  created_at: string;
}
