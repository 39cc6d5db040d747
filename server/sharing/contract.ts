import * as v from 'valibot';
import type { MaskReason } from '#server/masking/contract.ts';
import { LANGUAGES } from '#server/text/language.ts';

/** The cookie of a recipient's browser; its path is the link's, so that each link has one of its own. */
export const COOKIE = 'almirah_share';

/** What a browser may send as it; anything else is as good as none. */
export const isCookie = (text: string | undefined): text is string => /^[\w-]{43}$/.test(text ?? '');

/** Who can open a link: whoever has it, or the people named, who prove their address by a code. */
const AUDIENCES = ['anyone', 'named'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** Whether recipients only look at pages with their name across them, or may also save the files. */
const SHARE_MODES = ['view', 'download'] as const;
export type ShareMode = (typeof SHARE_MODES)[number];

/** What a link is now. `gone`: nothing of what it shows is there any more, or its maker may no longer share it. */
export const SHARE_STATES = ['open', 'ended', 'used_up', 'revoked', 'gone'] as const;
export type ShareState = (typeof SHARE_STATES)[number];

export const DEFAULT_DAYS = 7;
/** Days for which a firm's links are good at most, until an admin chooses another number. */
export const DEFAULT_MAX_DAYS = 90;
const MAX_DAYS = 365;
const PASSWORD_MIN = 8;
const RECIPIENTS_MAX = 50;
export const SHARED_AT_ONCE = 500;

export interface SharedItem {
  id: number;
  name: string;
  type: 'file' | 'folder';
  file_type: string | null;
  parent_id: number | null;
}

/** A link as the firm sees it; its token is known to nobody any more. */
export interface ShareView {
  id: number;
  state: ShareState;
  /** What the asker sees of it; empty when it is in Trash or deleted. */
  items: SharedItem[];
  client: { id: number; name: string } | null;
  made_by: { id: number; name: string };
  audience: Audience;
  /** In the order in which they were named; empty for `anyone`. */
  recipients: { email: string; last_opened_at: string | null }[];
  mode: ShareMode;
  has_password: boolean;
  max_downloads: number | null;
  downloads: number;
  notify: boolean;
  /** Whether a link for anyone stands on its client's own page as well. */
  on_portal: boolean;
  /** Aadhaar numbers are covered in what it gives. */
  mask_aadhaar: boolean;
  /** Pages are shown of PDFs that open only with a password which the office knows. */
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

/** A link that was just made, or given a new address: the only time that the address is told. */
export interface MadeShare {
  share: ShareView;
  url: string;
}

export interface ShareSettings {
  enabled: boolean;
  max_days: number;
}

const IDS = 'Choose what to share';
const ids = v.pipe(
  v.array(v.pipe(v.number(IDS), v.integer(IDS), v.minValue(1, IDS)), IDS),
  v.minLength(1, IDS),
  v.maxLength(SHARED_AT_ONCE, `Share at most ${SHARED_AT_ONCE} items by one link, or share their folder`),
);
const NO_DAY = 'Choose the last day';
const PASSWORD = `Give a password of at least ${PASSWORD_MIN} characters`;
const DOWNLOADS = 'Give a number from 1 to 10,000, or leave it empty';

/** Addresses with spaces, commas or lines between. */
const emailsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map((one) => one.toLowerCase()),
  ),
];
const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;
const emails = v.pipe(
  v.string('Give at least one e-mail address'),
  v.transform(emailsIn),
  v.check(
    (all) => all.every((one) => one.length <= 254 && EMAIL.test(one)),
    'One of these is no e-mail address',
  ),
  v.maxLength(RECIPIENTS_MAX, `Give at most ${RECIPIENTS_MAX} addresses`),
);

const settings = {
  audience: v.picklist(AUDIENCES, 'Choose who can open the link'),
  emails: v.optional(emails, ''),
  mode: v.picklist(SHARE_MODES, 'Choose whether it can be downloaded'),
  /** In India, and good until its end. */
  expires_on: v.pipe(
    v.string(NO_DAY),
    v.regex(/^20\d{2}-\d{2}-\d{2}$/, NO_DAY),
    v.check((text) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`)), NO_DAY),
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
  /** For anyone, and all of one client: it stands on that client's own page as well. */
  on_portal: v.optional(v.boolean()),
  // Left out, they stay as they are, at first off.
  mask_aadhaar: v.optional(v.boolean()),
  open_locked: v.optional(v.boolean()),
};
const password = v.pipe(
  v.string(PASSWORD),
  v.minLength(PASSWORD_MIN, PASSWORD),
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
  // Left out, the password stays; null takes it away.
  v.object({ ...settings, password: v.optional(v.nullable(password)) }),
  v.forward(v.check(named, NOBODY), ['emails']),
);
export type ChangeShare = v.InferOutput<typeof changeShare>;

export const sendShare = v.object({
  url: v.string('Make a new address first'),
  emails: v.pipe(emails, v.minLength(1, NOBODY)),
  /** Of the e-mail. */
  language: v.optional(v.picklist(LANGUAGES, 'Choose the language of the e-mail'), 'en'),
});
export const sharesNamed = v.object({ ids });
/** For what a link that covers Aadhaar numbers would give of these items. */
export const checkShare = v.object({
  ids,
  open_locked: v.optional(v.boolean(), false),
  /** Whether what is not known yet is to be found out meanwhile. */
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
/** Links of one answer; where fewer come, there are no older ones. */
export const SHARES_PAGE = 100;
export const sharesQuery = v.object({
  item: id,
  client: id,
  state: v.optional(v.picklist(SHARE_STATES, 'Choose a state from the list')),
  /** The id of the last link of the page before. */
  before: id,
});
export type SharesQuery = Partial<v.InferOutput<typeof sharesQuery>>;

/** How a recipient is shown a file, or null for what can only be saved. */
export type Shown = 'picture' | 'pages' | 'video' | null;

/** A file or folder as a recipient sees it. */
export interface RecipientItem {
  id: number;
  name: string;
  type: 'file' | 'folder';
  file_type: string | null;
  /** `2.86 MB`; of a folder how many items are in it. */
  size: string;
  /** ISO 8601, UTC. */
  modified_at: string;
  shown: Shown;
  has_thumbnail: boolean;
  /** Why nothing of it is given by a link that covers Aadhaar numbers, `waiting` for now; null where it is given. */
  withheld: MaskReason | 'waiting' | null;
}

/** What every page of a recipient says at its top, once the recipient is let in. */
export interface RecipientHead {
  firm: string;
  /** Where its logo is to be had; null without one. */
  logo: string | null;
  from: string;
  /** The name of what is shared, or how many there are. */
  title: string;
  /** The last day, in India. */
  until: string;
  may_download: boolean;
  /** Whether Aadhaar numbers are covered. */
  masked: boolean;
  /** Whether a folder is among it, into which more may be put. */
  lives: boolean;
  /** What a form has to bring along. */
  form: string;
}

/** One thing of a file: an entry of a ZIP by its path, or an attachment of an e-mail by its place. */
export type Wanted = { entry: string } | { attachment: number };

/** What a form or an address asks for of a file; null where it is the file itself. */
export function wantedIn(fields: URLSearchParams): Wanted | null {
  const [entry, attachment] = [fields.get('entry'), Number(fields.get('attachment'))];
  if (entry !== null) return { entry };
  return attachment > 0 ? { attachment } : null;
}

/** What lies within a file: a folder of a ZIP, or what is attached to an e-mail. */
export interface Inside {
  of: 'zip' | 'mail';
  /** The folder of the ZIP, its names joined by `/`; '' at its top. */
  path: string;
  entries: {
    name: string;
    type: 'folder' | 'file';
    file_type: string | null;
    /** `2.86 MB`, once unpacked. */
    size: string;
    /** By which it is asked for: a path in the ZIP, or the place of an attachment. */
    key: string;
    /** Whether it opens only with a password. */
    locked: boolean;
    /** Whether its pages are shown to this recipient. */
    shown: boolean;
  }[];
  /** How many there are that are not told. */
  more: number;
}

export type RecipientPage =
  | { state: 'gone' }
  /** What is asked for first. */
  | { state: 'code' | 'email' | 'password'; firm: string; logo: string | null; form: string }
  | {
      state: 'open';
      head: RecipientHead;
      /** The folders from what was shared down to the one that is shown; empty at the top. */
      crumbs: { id: number; name: string }[];
      items: RecipientItem[];
      next: string | null;
    }
  | {
      state: 'file';
      head: RecipientHead;
      crumbs: { id: number; name: string }[];
      item: RecipientItem;
      /** Of what is shown page by page; 0 with a reason why it cannot be. */
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
      /** 0 with a reason why they cannot be shown. */
      pages: number;
      why: string | null;
    };

/** What stands on a client's page of a link. */
export interface SharedWith {
  link_id: number;
  /** The name of what is shared, or how many there are. */
  title: string;
  /** Extension of the one file that it is; null for folders and for several. */
  file_type: string | null;
  from: string;
  /** The last day, in India. */
  until: string;
  may_download: boolean;
  lives: boolean;
  has_password: boolean;
  created_at: string;
}
