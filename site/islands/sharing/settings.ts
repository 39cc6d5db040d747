import type { Audience, ShareMode, ShareView } from '#server/sharing/contract.ts';
import { DEFAULT_DAYS } from '#server/sharing/contract.ts';
import { isoDateInIndia } from '../../lib/format.ts';

/** What the dialog has in its fields. */
export interface Fields {
  audience: Audience;
  emails: string;
  mode: ShareMode;
  expires_on: string;
  password: string;
  /** Takes the password away that is set. */
  open: boolean;
  max_downloads: string;
  notify: boolean;
  mask_aadhaar: boolean;
  open_locked: boolean;
  /** Of a link for anyone: it stands on its client's own page as well. */
  on_portal: boolean;
}

/** What is sent of them. */
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

const DAY = 24 * 60 * 60_000;

interface Fresh {
  days?: number;
  look?: boolean;
  /** Of the person for whom it is meant: then nobody else can open it. */
  email?: string | null | undefined;
}

export const freshFields = (now: number, { days = Infinity, look = false, email }: Fresh = {}): Fields => ({
  audience: email ? 'named' : 'anyone',
  emails: email ?? '',
  mode: look ? 'view' : 'download',
  expires_on: isoDateInIndia(now + Math.min(DEFAULT_DAYS, days) * DAY),
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

/** @param before the link that is changed; its password stays where none is typed. */
export function requestOf(fields: Fields, before?: ShareView): ShareRequest {
  const { audience, emails, mode, expires_on, password, open, max_downloads } = fields;
  const { notify, mask_aadhaar, open_locked, on_portal } = fields;
  const typed = max_downloads.trim();
  const secret = password !== '' ? { password } : before && !open ? {} : { password: null };
  return {
    audience,
    emails: audience === 'named' ? emails : '',
    mode,
    expires_on,
    ...secret,
    // What is no number is refused, and does not become any number of downloads.
    max_downloads: typed === '' || mode === 'view' ? null : Number(typed.replaceAll(',', '')) || 0,
    notify,
    mask_aadhaar,
    open_locked,
    on_portal: on_portal && audience === 'anyone',
  };
}
