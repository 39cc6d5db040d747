import { createHmac } from 'node:crypto';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Clock } from '#server/clock.ts';
import { AppError } from '#server/http/errors.ts';
import { isWithinLifetime } from './lifetime.ts';
import { isSameSecret } from '#server/http/secrets.ts';

/** Lifetime of a download link. */
export const LINK_LIFETIME_MS = 5 * 60_000;

export const badLink = () =>
  new AppError(
    403,
    'bad_link',
    'This download link is not valid any more. Go back and start the download again.',
  );

const LOOK_ONLY =
  'You may look at documents here, but not download them. Ask an admin of your firm if you need to.';

/**
 * Users without `documents.download` get no bytes of an original. Checked when a link is created, and again when it is
 * opened.
 * @throws {AppError} 403 `look_only`.
 */
export function requireDownload(actor: Pick<Actor, 'permissions'>): void {
  if (!may(actor, 'documents.download')) throw new AppError(403, 'look_only', LOOK_ONLY);
}

interface LinkDependencies {
  /** Key of the signatures; a new key invalidates all links. */
  secret: Buffer;
  clock: Clock;
  /** The user of a session with current permissions; null once the session has ended. */
  actorOfSession: (sessionId: number) => Promise<Actor | null>;
}

/**
 * Download links: a browser opens them without an authorization header. Each is valid for five minutes, for one
 * subject, and only while the session that created it lasts. The signed token carries all of this; nothing is stored.
 */
export function createLinks({ secret, clock, actorOfSession }: LinkDependencies) {
  const signatureOf = (text: string): string =>
    createHmac('sha256', secret).update(`link ${text}`).digest('base64url');

  function read(token: string): { about: string; sessionId: number } {
    const end = token.lastIndexOf('.');
    const text = token.slice(0, Math.max(0, end));
    // Compares the base64 text, not the decoded bytes: the last character has unused bits, so several texts decode to
    // the same signature.
    if (!isSameSecret(token.slice(end + 1), signatureOf(text))) throw badLink();
    const [about = '', session = '', expires = ''] = text.split('.');
    if (!isWithinLifetime(Number.parseInt(expires, 36), LINK_LIFETIME_MS, clock().getTime())) throw badLink();
    return { about, sessionId: Number.parseInt(session, 36) };
  }

  return {
    /**
     * @param about subject of the link, such as `item:17`. It may not contain dots, and everybody who has the link can
     * read it.
     * @returns the token.
     */
    sign(actor: Pick<Actor, 'sessionId' | 'permissions'>, about: string): string {
      requireDownload(actor);
      const { sessionId } = actor;
      const expiresAt = clock().getTime() + LINK_LIFETIME_MS;
      const text = [about, sessionId.toString(36), expiresAt.toString(36)].join('.');
      return `${text}.${signatureOf(text)}`;
    },

    /**
     * Verifies a token. @returns the link's subject, and the user of its session.
     * @param visitor the signed-in user of the request, if there is one: the user of the same session is not looked up again.
     * @throws {AppError} 403 `bad_link` for an altered or expired token, and when the session has ended.
     */
    async open(token: string, visitor?: Actor | null): Promise<{ about: string; actor: Actor }> {
      const { about, sessionId } = read(token);
      const actor = visitor?.sessionId === sessionId ? visitor : await actorOfSession(sessionId);
      if (!actor) throw badLink();
      requireDownload(actor);
      return { about, actor };
    },
  };
}
export type Links = ReturnType<typeof createLinks>;
