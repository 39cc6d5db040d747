import type { ArrivalView } from '#server/collecting/contract.ts';
import type { Language } from '#server/text/language.ts';
import type { RequestState, RowState } from './contract.ts';

/** A row of `requests`. */
export interface RequestRecord {
  id: number;
  firm_id: number;
  client_id: number;
  made_by: number;
  title: string;
  note: string;
  language: Language;
  due_on: string | null;
  email: string;
  remind_before: number | null;
  remind_on: number;
  remind_after: number | null;
  reminded_on: string | null;
  reminded_at: string | null;
  reminders: number;
  seed: string;
  token_hash: string;
  former_hash: string | null;
  folder_id: number | null;
  opened: number;
  last_opened_at: string | null;
  last_opened_ip: string | null;
  news_at: string | null;
  /** When the client declared everything sent; null again once the office asks for more. */
  done_at: string | null;
  completed_at: string | null;
  closed_at: string | null;
  created_at: string;
  updated_at: string;
}

/** A row of `request_rows`. */
export interface RowRecord {
  id: number;
  request_id: number;
  position: number;
  name: string;
  state: RowState;
  reason: string | null;
  updated_at: string;
}

export const doorOf = (requestId: number): string => `request:${requestId}`;

export const stateOf = ({
  closed_at,
  completed_at,
}: Pick<RequestRecord, 'closed_at' | 'completed_at'>): RequestState =>
  closed_at !== null ? 'closed' : completed_at !== null ? 'complete' : 'open';

/** Who has to act next: the client, while a document is missing and the client has not declared everything sent. */
export function waitingFor(
  state: RequestState,
  rows: readonly Pick<RowRecord, 'state'>[],
  done_at: string | null,
): 'client' | 'office' | null {
  if (state !== 'open') return null;
  if (done_at !== null) return 'office';
  if (rows.some((row) => row.state === 'wanted' || row.state === 'returned')) return 'client';
  return 'office';
}

/**
 * Whether the client has sent what a row still asks for, and it is not in the drive yet: it waits for its virus scan, or for the other photos
 * of its document.
 */
export const isArriving = (
  { id, state }: Pick<RowRecord, 'id' | 'state'>,
  files: readonly Pick<ArrivalView, 'slot' | 'state' | 'superseded'>[],
): boolean =>
  (state === 'wanted' || state === 'returned') &&
  files.some((file) => file.slot === id && file.state !== 'filed' && !file.superseded);

/** The state of a row by its files in the drive that were not sent back. */
export const stateByFiles = (
  { id }: Pick<RowRecord, 'id'>,
  files: readonly Pick<ArrivalView, 'slot' | 'state' | 'superseded'>[],
): 'received' | 'wanted' =>
  files.some(({ slot, state, superseded }) => slot === id && state === 'filed' && !superseded)
    ? 'received'
    : 'wanted';
