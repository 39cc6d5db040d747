import type { Context } from 'koa';
import type { Actor } from '#server/auth/contract.ts';
import { unauthenticated } from './errors.ts';

/** What the middleware in front of every route leaves in `ctx.state`. */
export interface RequestState {
  requestId: string;
  /** By which the visitor came, as far as a proxy of ours says. */
  protocol: 'http' | 'https';
  /** The signed-in user, from the bearer token or else the session cookie. */
  actor: Actor | null;
  /** The bearer token that the request carries, good or not. */
  bearer: string | null;
  /** The secret that the next session cookie will hold; set by a sign-in. */
  nextCookie?: string;
}

/** Who is asking, as far as the network can tell. */
export interface Origin {
  ip: string;
  userAgent: string;
  /** What the browser was given to be known by again, if it was. */
  device?: string | undefined;
}

/** The part of sign-in that every request needs; `server/auth` provides it. */
export interface Identity {
  /** @throws {AppError} 429 when this address has shown too many tokens that name nobody. */
  identifyByToken(token: string, origin: Origin): Promise<Actor | null>;
  identifyByCookie(secret: string): Promise<Actor | null>;
  /** Ends the session that a cookie names, if there is one. */
  endByCookie(secret: string): Promise<void>;
}

/** @throws {AppError} 401 when nobody is signed in. */
export function actorOf(ctx: Context): Actor {
  const actor = (ctx.state as RequestState).actor;
  if (!actor) throw unauthenticated();
  return actor;
}

export const originOf = (ctx: Context): Origin => ({
  ip: ctx.ip,
  userAgent: ctx.get('user-agent').slice(0, 400),
});

/** The decided shape of a success: `{ success, data, message? }` and what the specification wants at the top level. */
export function answer(data: unknown, extra: { message?: string; [key: string]: unknown } = {}) {
  return { success: true, data, ...extra };
}

/** Paths that answer programs: JSON only, never a page. */
export const isApi = (path: string): boolean => /^\/(?:api|sanctum|healthz)(?:\/|$)/i.test(path);
