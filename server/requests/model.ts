import type { ArrivalView } from '#server/collecting/contract.ts';
import { photosName } from '#server/collecting/contract.ts';
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
  /** Since when something was sent back of which the client has not been told; null without. */
  returned_since: string | null;
  /** When the client will be told of it. */
  tell_at: string | null;
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
  /** When the office last sent it back as a whole. */
  returned_at: string | null;
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

/** Whether the office has something of a row to judge. @param undecided the rows with files that are not judged. */
export const isToJudge = (
  { id, state }: Pick<RowRecord, 'id' | 'state'>,
  undecided: ReadonlySet<number>,
): boolean => state === 'received' || state === 'unavailable' || (state === 'returned' && undecided.has(id));

type RowFile = Pick<ArrivalView, 'slot' | 'state' | 'judged' | 'judged_at' | 'filed_at'>;

/**
 * Whether the client has sent what a row still asks for, and it is not in the drive yet: it waits for its virus scan, or for the other photos
 * of its document.
 */
export const isArriving = (
  { id, state }: Pick<RowRecord, 'id' | 'state'>,
  files: readonly Pick<ArrivalView, 'slot' | 'state'>[],
): boolean =>
  (state === 'wanted' || state === 'returned') &&
  files.some((file) => file.slot === id && file.state !== 'filed');

/** The name of a received file as its sender knows it: photos became one PDF with the name of their row. */
export const sentName = (
  { name }: Pick<RowRecord, 'name'>,
  file: Pick<ArrivalView, 'batch' | 'part' | 'name'>,
): string => (file.batch === null ? file.name : photosName(name, file.part));

/** Whether two arrivals are the same file in the drive, as photos of one document are. */
export const isSameFile = (
  a: Pick<ArrivalView, 'id' | 'slot' | 'item_id'>,
  b: Pick<ArrivalView, 'id' | 'slot' | 'item_id'>,
): boolean => a.id === b.id || (a.item_id !== null && a.item_id === b.item_id && a.slot === b.slot);

/** The files of a row that are in the drive. */
export const filedFor = <File extends Pick<ArrivalView, 'slot' | 'state'>>(
  { id }: Pick<RowRecord, 'id'>,
  files: readonly File[],
): File[] => files.filter(({ slot, state }) => slot === id && state === 'filed');

/** The files of a row that were sent back while no other has come since. */
export function unansweredFor<File extends RowFile>(
  row: Pick<RowRecord, 'id'>,
  files: readonly File[],
): File[] {
  const filed = filedFor(row, files);
  return filed.filter(
    ({ judged, judged_at }) => judged === 'returned' && !filed.some(({ filed_at }) => filed_at! > judged_at!),
  );
}

/** The state of a row by its files in the drive: `returned` while one was sent back and none has come since. */
export function stateByFiles(
  row: Pick<RowRecord, 'id'>,
  files: readonly RowFile[],
): 'received' | 'returned' | 'wanted' {
  if (unansweredFor(row, files).length > 0) return 'returned';
  return filedFor(row, files).some(({ judged }) => judged !== 'returned') ? 'received' : 'wanted';
}

/** Whether the office has accepted, one by one, all files of a row that were not sent back; none may be on its way to the drive. */
export function isAcceptedByFiles(row: Pick<RowRecord, 'id'>, files: readonly RowFile[]): boolean {
  const ofRow = files.filter(({ slot, judged }) => slot === row.id && judged !== 'returned');
  return ofRow.length > 0 && ofRow.every(({ judged }) => judged === 'accepted');
}
