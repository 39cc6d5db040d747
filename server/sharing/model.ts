import type { Audience, ShareMode, ShareState } from './contract.ts';
import { IST_OFFSET_MS, dayInIndia } from '#server/text/day-in-india.ts';

/** A row of `share_links`. */
export interface LinkRow {
  id: number;
  firm_id: number;
  made_by: number;
  client_id: number | null;
  token_hash: string;
  audience: Audience;
  mode: ShareMode;
  password_hash: string | null;
  max_downloads: number | null;
  downloads: number;
  notify: number;
  /** Whether a link for anyone also appears on its client's page. */
  on_portal: number;
  mask_aadhaar: number;
  open_locked: number;
  opened: number;
  last_opened_at: string | null;
  last_opened_ip: string | null;
  last_opened_by: string | null;
  told_on: string | null;
  expires_at: string;
  revoked_at: string | null;
  created_at: string;
}

const DAY_MS = 24 * 60 * 60_000;

/** The end of a day in India. */
export const endOf = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS - IST_OFFSET_MS);

/** The last day on which a link is valid. */
export const lastDay = (expiresAt: string): string => dayInIndia(new Date(Date.parse(expiresAt) - 1));

export const daysFrom = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The state of a link from its row alone; whether its items still exist is checked separately. */
export function stateOf(row: LinkRow, now: Date): Exclude<ShareState, 'gone'> {
  if (row.revoked_at !== null) return 'revoked';
  if (row.expires_at <= now.toISOString()) return 'ended';
  return row.max_downloads !== null && row.downloads >= row.max_downloads ? 'used_up' : 'open';
}
