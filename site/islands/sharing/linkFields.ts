import type { Audience, ShareMode, ShareView } from '#server/sharing/contract.ts';
import { DEFAULT_DAYS } from '#server/sharing/contract.ts';
import { addressesIn } from '#server/text/email-addresses.ts';
import { isoDateInIndia } from '../../lib/format.ts';

/** The values of the form's fields. */
export interface Fields {
  audience: Audience;
  emails: string;
  mode: ShareMode;
  expires_on: string;
  password: string;
  /** Removes the password of the link. */
  open: boolean;
  max_downloads: string;
  notify: boolean;
  mask_aadhaar: boolean;
  open_locked: boolean;
  /** Shows a link for anyone on its client's page too. */
  on_portal: boolean;
}

/** The request body for creating or changing a link. */
export interface ShareRequest {
  audience: Audience;
  emails: string;
  mode: ShareMode;
  expires_on: string;
  password?: string | null;
  max_downloads: number | null;
  notify: boolean;
  mask_aadhaar: boolean;
  open_locked: boolean;
  on_portal: boolean;
}

const DAY_MS = 24 * 60 * 60_000;

interface Defaults {
  /** The maximum validity. */
  days?: number;
  /** Whether the user may only share for viewing. */
  viewOnly?: boolean;
  /** The recipient's address; the link then opens only for that person. */
  email?: string | null | undefined;
}

export const defaultFields = (
  now: number,
  { days = Infinity, viewOnly = false, email }: Defaults = {},
): Fields => ({
  audience: email ? 'named' : 'anyone',
  emails: email ?? '',
  mode: viewOnly ? 'view' : 'download',
  expires_on: isoDateInIndia(now + Math.min(DEFAULT_DAYS, days) * DAY_MS),
  password: '',
  open: false,
  max_downloads: '',
  notify: false,
  mask_aadhaar: false,
  open_locked: false,
  on_portal: false,
});

export const fieldsOf = (share: ShareView): Fields => ({
  audience: share.audience,
  emails: share.recipients.map(({ email }) => email).join('\n'),
  mode: share.mode,
  expires_on: share.expires_on,
  password: '',
  open: false,
  max_downloads: share.max_downloads === null ? '' : String(share.max_downloads),
  notify: share.notify,
  mask_aadhaar: share.mask_aadhaar,
  open_locked: share.open_locked,
  on_portal: share.on_portal,
});

/** The recipients to save: those of the edited text, and what a colleague has added or removed since it was opened. */
function mergeEmails(opened: string, latest: string, edited: string): string {
  const [before, now] = [addressesIn(opened), addressesIn(latest)];
  const kept = addressesIn(edited).filter((email) => !before.includes(email) || now.includes(email));
  const added = now.filter((email) => !before.includes(email));
  return [...new Set([...kept, ...added])].join('\n');
}

/** Who opens the link is decided by all of these together: whoever edits one of them means the others as shown. */
const WHO: readonly (keyof Fields)[] = ['audience', 'emails', 'on_portal'];

/** The fields to save: the edited ones, and the others as they are now, since a colleague may have changed them. */
export function mergeFields(opened: ShareView, latest: ShareView, fields: Fields): Fields {
  const [before, now] = [fieldsOf(opened), fieldsOf(latest)];
  const names = Object.keys(fields) as (keyof Fields)[];
  const isEdited = (name: keyof Fields): boolean => fields[name] !== before[name];
  const saved = names.filter((name) => (WHO.includes(name) ? WHO.some(isEdited) : isEdited(name)));
  return {
    ...now,
    ...Object.fromEntries(saved.map((name) => [name, fields[name]])),
    emails: isEdited('emails') ? mergeEmails(before.emails, now.emails, fields.emails) : now.emails,
  };
}

/** @param existing the link that is changed; it keeps its password when none is typed. */
export function requestOf(fields: Fields, existing?: ShareView): ShareRequest {
  const { audience, emails, mode, expires_on, password, open, max_downloads } = fields;
  const { notify, mask_aadhaar, open_locked, on_portal } = fields;
  const typed = max_downloads.trim();
  const secret = password !== '' ? { password } : existing && !open ? {} : { password: null };
  return {
    audience,
    emails: audience === 'named' ? emails : '',
    mode,
    expires_on,
    ...secret,
    // Text that is not a number becomes 0, which the server refuses; it must not become "no limit".
    max_downloads: typed === '' || mode === 'view' ? null : Number(typed.replaceAll(',', '')) || 0,
    notify,
    mask_aadhaar,
    open_locked,
    on_portal: on_portal && audience === 'anyone',
  };
}
