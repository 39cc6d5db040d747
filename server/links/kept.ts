import { randomBytes } from 'node:crypto';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { isWithinLifetime } from '#server/http/link-lifetime.ts';
import type { Links } from './links.ts';
import { LINK_LIFETIME, badLink } from './links.ts';

/** A link is followed as soon as it is given, so these are many; each may stand for thousands of ids. */
const OF_ONE_USER = 50;
const IN_ALL = 1000;

export interface Kept<What> {
  /** @returns the link's token; what the user's oldest one stands for gives way when there are too many. */
  keep(actor: Actor, what: What): Promise<string>;
  /** @throws {AppError} 403 `bad_link`, also when what it stands for has given way. */
  take(token: string): Promise<{ actor: Actor; what: What }>;
}

/**
 * What is about to be downloaded and does not fit into a link, as thousands of ids, or must not stand in one, as a
 * password. It is kept here while the link is good, and only in memory: after a restart, choosing Download again is
 * all it takes.
 */
export function createKept<What>({ links, clock }: { links: Links; clock: Clock }): Kept<What> {
  /** By what the link is about, the oldest first. */
  const kept = new Map<string, { what: What; userId: number; expiresAt: number }>();

  function forgetOld(now: number): void {
    for (const [about, { expiresAt }] of kept)
      if (!isWithinLifetime(expiresAt, LINK_LIFETIME, now)) kept.delete(about);
  }

  function makeRoom(userId: number): void {
    const own = Array.from(kept.keys()).filter((about) => kept.get(about)!.userId === userId);
    if (own.length === OF_ONE_USER) kept.delete(own[0]!);
    else if (kept.size === IN_ALL) kept.delete(kept.keys().next().value!);
  }

  return {
    async keep(actor, what) {
      const now = clock().getTime();
      forgetOld(now);
      makeRoom(actor.userId);
      const about = `kept:${randomBytes(12).toString('base64url')}`;
      const token = links.sign(actor, about);
      kept.set(about, { what, userId: actor.userId, expiresAt: now + LINK_LIFETIME });
      return token;
    },

    async take(token) {
      forgetOld(clock().getTime());
      const { actor, about } = await links.open(token);
      const found = kept.get(about);
      if (!found) throw badLink();
      return { actor, what: found.what };
    },
  };
}
