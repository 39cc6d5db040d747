import * as v from 'valibot';
import type { SharedWith } from '#server/sharing/contract.ts';
import { addressesIn, noAddress, notAnAddress } from '#server/text/email-addresses.ts';
import type { Language } from '#server/text/language.ts';
import { LANGUAGES } from '#server/text/language.ts';

/** The cookie of a visitor's browser; its path is the page's, so that each page has one of its own. */
export const PORTAL_COOKIE = 'almirah_page';

/** Addresses that open one page, beside the client's own. */
const EMAILS_MAX = 20;
/** Pages of one answer; where fewer come, there are no older ones. */
export const PORTALS_PAGE = 100;

/** A client's page, as the firm sees it. */
export interface PortalView {
  id: number;
  client: { id: number; name: string; phone: string | null; language: Language };
  made_by: { id: number; name: string };
  /** Of the client's record, as it is now; it opens the page as well. Null where there is none. */
  client_email: string | null;
  /** Those that the office has added. */
  emails: string[];
  opened: number;
  /** ISO 8601, UTC; null before the first opening. */
  last_opened_at: string | null;
  /** The address that was proved. */
  last_opened_by: string | null;
  /** `Office network (192.168.1.7)`. */
  last_opened_from: string | null;
  created_at: string;
  url: string;
}

/** Addresses with spaces, commas or lines between. */
const emails = v.pipe(
  v.string('Give e-mail addresses'),
  v.transform(addressesIn),
  v.check(
    (all) => notAnAddress(all) === undefined,
    ({ input }) => noAddress(notAnAddress(input)),
  ),
  v.maxLength(EMAILS_MAX, `Give at most ${EMAILS_MAX} addresses`),
);
export const makePortal = v.object({
  client_id: v.pipe(v.number('Choose a client'), v.safeInteger('Choose a client')),
  emails: v.optional(emails, ''),
});
export type MakePortal = v.InferOutput<typeof makePortal>;

export const sendPortal = v.object({
  emails: v.pipe(emails, v.minLength(1, 'Give at least one e-mail address')),
  language: v.optional(v.picklist(LANGUAGES, 'Choose the language of the e-mail'), 'en'),
});
export type SendPortal = v.InferOutput<typeof sendPortal>;

const id = v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/, 'A whole number'), v.transform(Number)));
/** `before`: the id of the last page of the answer before. */
export const portalsQuery = v.object({ client: id, before: id });
export type PortalsQuery = Partial<v.InferOutput<typeof portalsQuery>>;

/** What was asked of a client and is not over. */
export interface AskedOf {
  id: number;
  title: string;
  /** A day in India. */
  due_on: string | null;
  overdue: boolean;
  /** What is still to be sent, and what was sent back, by name. */
  wanted: string[];
  /** What has been received and is not in the drive yet, by name. */
  arriving: string[];
  /** How many documents there are not, as the client has said. */
  unavailable: number;
  total: number;
  /** Of the request's page, on this server. */
  path: string;
}

/** The receipt of what a client has sent. */
export interface SentBy {
  number: string;
  title: string;
  files: number;
  /** ISO 8601, UTC. */
  made_at: string;
}

/** What the visitor of a client's page sees. */
export type PortalPage =
  | { state: 'gone' }
  | { state: 'email' | 'code'; firm: string; logo: string | null; form: string }
  | {
      state: 'open';
      firm: string;
      logo: string | null;
      form: string;
      client: string;
      /** The address that was proved. */
      email: string;
      asked: AskedOf[];
      shared: SharedWith[];
      sent: SentBy[];
      /** The path at which anything can be sent; null where the client has no such link. */
      drop: string | null;
    };
