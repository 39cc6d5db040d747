import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import { AppError, unauthenticated } from './errors.ts';

/** What the middleware in front of every route leaves in `ctx.state`. */
export interface RequestState {
  requestId: string;
  /** By which the visitor came, as far as a proxy of ours says. */
  protocol: 'http' | 'https';
  /** The signed-in user, from the bearer token or else the session cookie. */
  actor: Actor | null;
  /** Why the actor is null although the session stands. */
  barred?: Barred;
  /** The bearer token that the request carries, good or not. */
  bearer: string | null;
  /** The secret that the next session cookie will hold; set by a sign-in. */
  nextCookie?: string;
}

/** The browser that is asking, as far as the network can tell. */
export interface Origin {
  ip: string;
  userAgent: string;
  /** The device cookie that the browser was given at an earlier sign-in, if any. */
  device?: string | undefined;
}

/** A good session at an hour, or from a network, that its user may not work in: 403 with the reason. */
export class Barred extends AppError {
  /** The user of a session that may do nothing any more but sign out. */
  readonly actor: Actor;

  constructor({ status, code, message }: AppError, actor: Actor) {
    super(status, code, message);
    this.actor = actor;
  }
}

/** The part of sign-in that every request needs; `server/auth` provides it. */
export interface Identity {
  /** @throws {AppError} 429 when this address has shown too many tokens that name nobody. */
  identifyByToken(token: string, origin: Origin): Promise<Actor | null>;
  /** Both @throws {Barred}. */
  identifyByCookie(secret: string): Promise<Actor | null>;
  /** Ends the session that a cookie names, if there is one. */
  endByCookie(secret: string): Promise<void>;
}

/** @throws {AppError} 401 when nobody is signed in, 403 outside the user's hours and networks. */
export function actorOf(ctx: Context): Actor {
  const { actor, barred } = ctx.state as RequestState;
  if (!actor) throw barred ?? unauthenticated();
  return actor;
}

/** As `actorOf`, also at hours when the user may do nothing but sign out. @throws {AppError} 401. */
export function leaverOf(ctx: Context): Actor {
  const { barred } = ctx.state as RequestState;
  return barred?.actor ?? actorOf(ctx);
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
export const isApi = (path: string): boolean =>
  /^\/(?:api|sanctum|healthz|readyz|metrics)(?:\/|$)/i.test(path);
