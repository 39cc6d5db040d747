import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { AppError } from '#server/http/errors.ts';
import { isWithinLifetime } from '#server/http/link-lifetime.ts';

/** For how long a link may be followed, in milliseconds. */
export const LINK_LIFETIME = 5 * 60_000;

export const badLink = () =>
  new AppError(
    403,
    'bad_link',
    'This download link is not valid any more. Go back and start the download again.',
  );

const LOOK_ONLY =
  'You may look at documents here, but not download them. Ask an admin of your firm if you need to.';

/** No bytes of an original go to one who may only look; asked for a link, and again when it is followed. @throws {AppError} 403 */
export function demandDownload(actor: Pick<Actor, 'permissions'>): void {
  if (!may(actor, 'documents.download')) throw new AppError(403, 'look_only', LOOK_ONLY);
}

export interface LinkParts {
  /** Signs links; another secret makes the old ones invalid. */
  secret: Buffer;
  clock: Clock;
  /** Who is behind a session now; null once it has ended. */
  actorOfSession: (sessionId: number) => Promise<Actor | null>;
}

/**
 * Links that a browser follows without a header of ours: each good for five minutes, for one thing, and while the
 * session lasts in which it was made. The token carries all of it, signed, so nothing is stored.
 */
export function createLinks({ secret, clock, actorOfSession }: LinkParts) {
  const signatureOf = (text: string): string =>
    createHmac('sha256', secret).update(`link ${text}`).digest('base64url');

  function read(token: string): { about: string; sessionId: number } {
    const end = token.lastIndexOf('.');
    const text = token.slice(0, Math.max(0, end));
    // Tokens are compared as text: base64 has bits to spare in its last digit, and only one spelling is ours.
    const given = Buffer.from(token.slice(end + 1));
    const right = Buffer.from(signatureOf(text));
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw badLink();
    const [about = '', session = '', expires = ''] = text.split('.');
    if (!isWithinLifetime(Number.parseInt(expires, 36), LINK_LIFETIME, clock().getTime())) throw badLink();
    return { about, sessionId: Number.parseInt(session, 36) };
  }

  return {
    /** @param about what the link leads to, such as `item:17`; seen by whoever has the link, and without dots. */
    sign(actor: Pick<Actor, 'sessionId' | 'permissions'>, about: string): string {
      demandDownload(actor);
      const { sessionId } = actor;
      const expiresAt = clock().getTime() + LINK_LIFETIME;
      const text = [about, sessionId.toString(36), expiresAt.toString(36)].join('.');
      return `${text}.${signatureOf(text)}`;
    },

    /**
     * Who follows the link, and what it leads to.
     * @throws {AppError} 403 `bad_link` when it is altered or over, or its session has ended.
     */
    async open(token: string): Promise<{ about: string; actor: Actor }> {
      const { about, sessionId } = read(token);
      const actor = await actorOfSession(sessionId);
      if (!actor) throw badLink();
      demandDownload(actor);
      return { about, actor };
    },
  };
}
export type Links = ReturnType<typeof createLinks>;
