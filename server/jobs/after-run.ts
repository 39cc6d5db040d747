import { AppError } from '#server/http/errors.ts';
import type { JobData } from './contract.ts';
import type { JobKind } from './kinds.ts';
import type { Job, Live } from './model.ts';

export const INTERRUPTED =
  'The server was restarted while this was under way, so nothing was changed. Please start it again.';
const FAULT = 'Something went wrong on the server, so nothing was changed. Please try again.';
const STUCK = 'This took too long without getting anywhere, so it was stopped and nothing was changed.';
export const CANCELLED = 'Cancelled. Nothing was changed.';
const MAX_REASON_LENGTH = 500;
const MINUTE_MS = 60_000;

/** Why a running job was aborted. */
export type AbortReason = 'cancelled' | 'stopping' | 'stuck';

/** How a run has ended. */
export type Outcome =
  { result: { message: string; data?: JobData | undefined } } | { aborted: AbortReason } | { error: unknown };

/** The update of a job's row after a run: it has ended, or waits for the next run. */
export type JobUpdate = Pick<Job, 'status'> & Partial<Job>;

/** The update for a job that has ended. Its sealed input is deleted, unless `end` keeps it. */
export const ended = (now: Date, end: JobUpdate): JobUpdate => ({
  sealed: null,
  finished_at: now.toISOString(),
  ...end,
});

const requeued = (now: Date, pauseMs: number, change: Partial<Job> = {}): JobUpdate => ({
  status: 'starting',
  progress: 0,
  due_at: new Date(now.getTime() + pauseMs).toISOString(),
  ...change,
});

/** For the operator; users see FAULT instead. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_LENGTH);

/** A failed recurring job is retried sooner than its period, with exponential backoff. */
const recurringPause = (every: number, attempt: number): number =>
  Math.min(every, MINUTE_MS * 2 ** (attempt - 1));

/** The update of a job's row that follows from the outcome of its run. */
export function updateAfter(
  { kind, row, live, now }: { kind: JobKind; row: Job; live: Live; now: Date },
  outcome: Outcome,
): JobUpdate {
  if ('result' in outcome) return afterSuccess({ kind, live, now }, outcome.result);
  return 'aborted' in outcome
    ? afterAbort({ kind, row, live, now }, outcome.aborted)
    : afterError({ kind, row, live, now }, outcome.error);
}

interface Run {
  kind: JobKind;
  row: Job;
  live: Live;
  now: Date;
}

function afterSuccess(
  { kind: { recurring }, live, now }: Omit<Run, 'row'>,
  { message, data: added }: { message: string; data?: JobData | undefined },
): JobUpdate {
  const data = JSON.stringify({ ...live.data, ...added });
  if (!recurring) return ended(now, { status: 'completed', progress: 100, message, code: null, data });
  const finished = { message, code: null, data, attempts: 0, finished_at: now.toISOString() };
  return requeued(now, recurring.every, finished);
}

function afterAbort({ kind, row, live, now }: Run, reason: AbortReason): JobUpdate {
  if (reason === 'stopping' && row.attempts < kind.attempts) return requeued(now, 0);
  const message = { cancelled: CANCELLED, stopping: INTERRUPTED, stuck: STUCK }[reason];
  const code = { cancelled: null, stopping: 'interrupted', stuck: 'stuck' }[reason];
  if (kind.recurring)
    return requeued(now, recurringPause(kind.recurring.every, row.attempts), { message, code });
  const status = reason === 'cancelled' ? 'cancelled' : 'failed';
  return ended(now, { status, progress: live.progress, message, code, data: JSON.stringify(live.data) });
}

function afterError({ kind, row, live, now }: Run, error: unknown): JobUpdate {
  const isAppError = error instanceof AppError;
  const message = isAppError || row.user_id === null ? reasonOf(error) : FAULT;
  const code = isAppError ? error.code : 'internal';
  const input = JSON.parse(row.input) as JobData;
  const pauseMs = kind.recurring
    ? recurringPause(kind.recurring.every, row.attempts)
    : (kind.retryAfterMs?.(error, { attempt: row.attempts, input }) ?? null);
  if (pauseMs !== null) return requeued(now, pauseMs, { message, code });
  const { progress } = live;
  const data = JSON.stringify(live.data);
  const keptInput = kind.isRestartable?.(row) && { sealed: row.sealed };
  return ended(now, { status: 'failed', progress, message, code, data, ...keptInput });
}
