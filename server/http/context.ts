import type { Context } from 'koa';
import type { Actor } from '#server/actor.ts';
import { AppError, unauthenticated } from './errors.ts';

/** The `ctx.state` that the middleware sets before any route runs. */
export interface RequestState {
  requestId: string;
  /** The protocol of the visitor, as the connection or a trusted proxy says. */
  protocol: 'http' | 'https';
  /** The signed-in user, by the bearer token or else the session cookie. */
  actor: Actor | null;
  /** Set when the session is valid but outside the user's work hours or networks; `actor` is null then. */
  barred?: Barred;
  /** The bearer token of the request, valid or not. */
  bearer: string | null;
  /** Rejects once the session of the request has ended. @throws {AppError} 401. @throws {Barred} */
  requireLiveSession?: () => Promise<void>;
  /** The secret of the session cookie that a sign-in is about to set. */
  nextCookie?: string;
  /** The page that a person sees when the request ends with a fault of the server; left out, its text alone. */
  faultPage?: string;
}

/** The browser that sent the request, as far as the network tells. */
export interface Origin {
  ip: string;
  userAgent: string;
  /** The device cookie that an earlier sign-in set in this browser. */
  device?: string | undefined;
}

/** A valid session outside the hours or networks in which its user may work: 403 with the reason. */
export class Barred extends AppError {
  /** The user, who may only sign out. */
  readonly actor: Actor;

  constructor({ status, code, message }: AppError, actor: Actor) {
    super(status, code, message);
    this.actor = actor;
  }
}

/** The part of sign-in that every request needs; implemented by `server/auth`. */
export interface Identity {
  /** @throws {AppError} 429 when this address has sent too many invalid tokens. @throws {Barred} */
  identifyByToken(token: string, origin: Origin): Promise<Actor | null>;
  /** @throws {Barred} */
  identifyByCookie(secret: string): Promise<Actor | null>;
  /** The actor with present permissions; null once the session, or the connection of a program, has ended. @throws {Barred} */
  again(actor: Actor): Promise<Actor | null>;
  /** Ends the session of this cookie, if there is one. */
  endByCookie(secret: string): Promise<void>;
}

/** @throws {AppError} 401 when nobody is signed in; {@link Barred} outside the user's hours and networks. */
export function actorOf(ctx: Context): Actor {
  const { actor, barred } = ctx.state as RequestState;
  if (!actor) throw barred ?? unauthenticated();
  return actor;
}

/**
 * Like `actorOf`, but also returns a barred user, who may only sign out.
 * @throws {AppError} 401.
 */
export function signingOutActor(ctx: Context): Actor {
  const { barred } = ctx.state as RequestState;
  return barred?.actor ?? actorOf(ctx);
}

/** Shows a fault of the server on a page of ours, which says by its parameter `said` what to do. */
export function showFaultsOn(ctx: Context, page: string): void {
  (ctx.state as RequestState).faultPage = `${page}?said=fault`;
}

export const originOf = (ctx: Context): Origin => ({
  ip: ctx.ip,
  userAgent: ctx.get('user-agent').slice(0, 400),
});

/**
 * The body of a success response: `{ success, data, message? }`, plus the top-level fields that the
 * specification asks for.
 */
export function success(data: unknown, extra: { message?: string; [key: string]: unknown } = {}) {
  return { success: true, data, ...extra };
}

/** Paths that respond with JSON, never with a page. */
export const isApi = (path: string): boolean =>
  /^\/(?:api|sanctum|healthz|readyz|metrics)(?:\/|$)/i.test(path);
