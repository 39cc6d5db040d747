import { AppError } from '#server/http/errors.ts';
import type { JobData } from './contract.ts';
import type { JobKind } from './kinds.ts';
import type { Job, Live } from './model.ts';

export const INTERRUPTED =
  'The server was restarted while this was under way, so nothing was changed. Please start it again.';
const FAULT = 'Something went wrong on the server, so nothing was changed. Please try again.';
const STUCK = 'This took too long without getting anywhere, so it was stopped and nothing was changed.';
export const CANCELLED = 'Cancelled. Nothing was changed.';
const REASON_MAX = 500;
const MINUTE = 60_000;

export type Stop = 'cancelled' | 'stopping' | 'stuck';

/** How a run came to its end. */
export type Came =
  { done: { message: string; data?: JobData | undefined } } | { stop: Stop } | { error: unknown };

/** What a job's row says next: the end, or that the job waits once more. */
export type Change = Pick<Job, 'status'> & Partial<Job>;

/** For the row of a job that has ended; what was sealed for it is gone then, unless `end` keeps it. */
export const ended = (now: Date, end: Change): Change => ({
  sealed: null,
  finished_at: now.toISOString(),
  ...end,
});

const again = (now: Date, pause: number, change: Partial<Job> = {}): Change => ({
  status: 'starting',
  progress: 0,
  due_at: new Date(now.getTime() + pause).toISOString(),
  ...change,
});

/** For an operator; users see FAULT. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX);

/** After failures a recurring job comes back sooner than otherwise, but later each time. */
const recurringPause = (every: number, attempt: number): number =>
  Math.min(every, MINUTE * 2 ** (attempt - 1));

export function afterwards(
  { kind, row, live, now }: { kind: JobKind; row: Job; live: Live; now: Date },
  came: Came,
): Change {
  const { recurring } = kind;
  const data = JSON.stringify({ ...live.data, ...('done' in came && came.done.data) });
  if ('done' in came) {
    const { message } = came.done;
    if (recurring)
      return again(now, recurring.every, {
        message,
        code: null,
        data,
        attempts: 0,
        finished_at: now.toISOString(),
      });
    return ended(now, { status: 'completed', progress: 100, message, code: null, data });
  }
  const { progress } = live;
  if ('stop' in came) {
    const { stop } = came;
    if (stop === 'stopping' && row.attempts < kind.attempts) return again(now, 0);
    const message = { cancelled: CANCELLED, stopping: INTERRUPTED, stuck: STUCK }[stop];
    const code = { cancelled: null, stopping: 'interrupted', stuck: 'stuck' }[stop];
    if (recurring) return again(now, recurringPause(recurring.every, row.attempts), { message, code });
    return ended(now, {
      status: stop === 'cancelled' ? 'cancelled' : 'failed',
      progress,
      message,
      code,
      data,
    });
  }
  const { error } = came;
  const known = error instanceof AppError;
  const message = known || row.user_id === null ? reasonOf(error) : FAULT;
  const code = known ? error.code : 'internal';
  const input = JSON.parse(row.input) as JobData;
  const pause = recurring
    ? recurringPause(recurring.every, row.attempts)
    : (kind.retryIn?.(error, { attempt: row.attempts, input }) ?? null);
  if (pause !== null) return again(now, pause, { message, code });
  const kept = kind.canBeginAgain?.(row) && { sealed: row.sealed };
  return ended(now, { status: 'failed', progress, message, code, data, ...kept });
}
