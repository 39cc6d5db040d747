import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { RequestState } from './context.ts';
import { tooManyRequests } from './errors.ts';

/** Unsafe calls that one user may make in a minute. */
export interface WriteLimits {
  /** No hand and no page makes nearly as many. */
  changes: number;
  /** Of `bulk`: twice what three uploads at once have ever reached on a server that has nothing else to do. */
  bulk: number;
  /** Paths of what a browser or a script rightly does once for each of thousands of files. */
  isBulk(path: string): boolean;
}

export const WRITES_PER_MINUTE = { changes: 1200, bulk: 60_000 };

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const WINDOW = 60_000;

/**
 * Keeps a script that has run wild, or a stolen session, from taking the one writer of the database away from everybody
 * else. Calls are counted in memory, for everybody in the same minute, so that at its end the whole count is forgotten.
 * Who is not signed in changes nothing here but by what has a limit of its own.
 * @param now milliseconds of a clock that nobody sets.
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
