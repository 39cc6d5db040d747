import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { RequestState } from './context.ts';
import { tooManyRequests } from './errors.ts';

/** Unsafe requests per user and minute. */
export interface WriteLimits {
  /** Far more than a person or a page makes. */
  changes: number;
  /** For `isBulk` paths: twice the most that three parallel uploads have reached on an otherwise idle server. */
  bulk: number;
  /** Paths that a browser or a script legitimately calls once per file, for thousands of files. */
  isBulk(path: string): boolean;
}

export const WRITES_PER_MINUTE = { changes: 1200, bulk: 60_000 };

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const WINDOW = 60_000;

/**
 * Keeps a runaway script or a stolen session from occupying the database's only writer. Counts are kept in
 * memory, in one fixed window for all users. Unauthenticated changes have rate limits of their own.
 * @param now milliseconds of a monotonic clock.
 */
export function writeLimit(
  limits: WriteLimits,
  log: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): Middleware {
  const changes = new Map<number, number>();
  const bulk = new Map<number, number>();
  let began = now();

  return (ctx, next) => {
    const { actor } = ctx.state as RequestState;
    if (actor === null || SAFE.has(ctx.method)) return next();
    if (now() - began >= WINDOW) {
      began = now();
      changes.clear();
      bulk.clear();
    }
    const isBulk = limits.isBulk(ctx.path);
    const counts = isBulk ? bulk : changes;
    const most = isBulk ? limits.bulk : limits.changes;
    const count = (counts.get(actor.userId) ?? 0) + 1;
    counts.set(actor.userId, count);
    if (count <= most) return next();
    if (count === most + 1)
      log.warn({ user: actor.userId, most }, 'a user makes more changes a minute than are allowed');
    const seconds = Math.max(1, Math.ceil((began + WINDOW - now()) / 1000));
    throw tooManyRequests(
      `Your account has made more than ${most.toLocaleString('en-IN')} changes within a minute, so this one was not made. ` +
        `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then try again.`,
      seconds,
    );
  };
}
