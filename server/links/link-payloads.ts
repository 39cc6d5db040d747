import { randomBytes } from 'node:crypto';
import type { Actor } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { isWithinLifetime } from './lifetime.ts';
import type { Links } from './links.ts';
import { LINK_LIFETIME_MS, badLink } from './links.ts';

/** A browser follows a link right after it was created, so few are pending; each payload may hold thousands of ids. */
const MAX_PER_USER = 50;
const MAX_TOTAL = 1000;

/**
 * Payloads of download links that do not fit into a URL (thousands of ids) or must not appear in one (a password).
 */
export interface LinkPayloads<Payload> {
  /** Drops the user's oldest payload when the user has too many. @returns the token of the link. */
  store(actor: Actor, payload: Payload): Promise<string>;
  /** @throws {AppError} 403 `bad_link`, also when the payload was dropped. */
  load(token: string): Promise<{ actor: Actor; payload: Payload }>;
}

/**
 * Payloads in the memory of this process, for as long as their links are valid. After a restart the user chooses
 * Download again.
 */
export function createLinkPayloads<Payload>({
  links,
  clock,
}: {
  links: Links;
  clock: Clock;
}): LinkPayloads<Payload> {
  /** Keyed by the subject of the link, oldest first. */
  const payloads = new Map<string, { payload: Payload; userId: number; expiresAt: number }>();

  function deleteExpired(now: number): void {
    for (const [about, { expiresAt }] of payloads)
      if (!isWithinLifetime(expiresAt, LINK_LIFETIME_MS, now)) payloads.delete(about);
  }

  function makeRoom(userId: number): void {
    const ofUser = Array.from(payloads.keys()).filter((about) => payloads.get(about)!.userId === userId);
    if (ofUser.length === MAX_PER_USER) payloads.delete(ofUser[0]!);
    else if (payloads.size === MAX_TOTAL) payloads.delete(payloads.keys().next().value!);
  }

  return {
    async store(actor, payload) {
      const now = clock().getTime();
      deleteExpired(now);
      makeRoom(actor.userId);
      const about = `kept:${randomBytes(12).toString('base64url')}`;
      const token = links.sign(actor, about);
      payloads.set(about, { payload, userId: actor.userId, expiresAt: now + LINK_LIFETIME_MS });
      return token;
    },

    async load(token) {
      deleteExpired(clock().getTime());
      const { actor, about } = await links.open(token);
      const stored = payloads.get(about);
      if (!stored) throw badLink();
      return { actor, payload: stored.payload };
    },
  };
}
