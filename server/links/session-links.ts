import { randomBytes } from 'node:crypto';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { AppError } from '#server/http/errors.ts';
import { stillGood } from '#server/http/link-lifetime.ts';

const LIFETIME = 5 * 60_000;
/** A link is followed as soon as it is given, so these are many; each may stand for thousands of ids. */
const OF_ONE_USER = 50;
const IN_ALL = 1000;

/**
 * What is about to be downloaded and does not fit into a link, as thousands of ids, or must not stand in one, as a
 * password. It is kept here while the link is good, and only in memory: after a restart, choosing Download again is
 * all it takes.
 */
export function createLinks<What>(use: {
  actorOfSession: (sessionId: number) => Promise<Actor | null>;
  clock: Clock;
}) {
  /** By token, the oldest first. */
  const kept = new Map<string, { what: What; userId: number; sessionId: number; expiresAt: number }>();

  function forgetOld(now: number): void {
    for (const [token, { expiresAt }] of kept) if (!stillGood(expiresAt, LIFETIME, now)) kept.delete(token);
  }

  function makeRoom(userId: number): void {
    const own = Array.from(kept.keys()).filter((token) => kept.get(token)!.userId === userId);
    if (own.length === OF_ONE_USER) kept.delete(own[0]!);
    else if (kept.size === IN_ALL) kept.delete(kept.keys().next().value!);
  }

  return {
    /** @returns a token for this session and five minutes; the oldest gives way when there are too many. */
    keep({ userId, sessionId }: Actor, what: What): string {
      const now = use.clock().getTime();
      forgetOld(now);
      makeRoom(userId);
      const token = randomBytes(18).toString('base64url');
      kept.set(token, { what, userId, sessionId, expiresAt: now + LIFETIME });
      return token;
    },

    /** @throws {AppError} 403 `bad_link` when the token is not ours, over, or its session has ended. */
    async take(token: string): Promise<{ actor: Actor; what: What }> {
      forgetOld(use.clock().getTime());
      const link = kept.get(token);
      const actor = link && (await use.actorOfSession(link.sessionId));
      if (!actor) {
        const message = 'This download link is not valid any more. Go back and start the download again.';
        throw new AppError(403, 'bad_link', message);
      }
      return { actor, what: link.what };
    },
  };
}
export type Links<What> = ReturnType<typeof createLinks<What>>;
