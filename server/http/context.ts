import type { Context } from 'koa';
import type { Actor } from '#server/auth/contract.ts';
import { unauthenticated } from './errors.ts';

/** What the middleware in front of every route leaves in `ctx.state`. */
export interface RequestState {
  requestId: string;
  /** The signed-in user, from the bearer token or else the session cookie. */
  actor: Actor | null;
}

/** @throws {AppError} 401 when nobody is signed in. */
export function actorOf(ctx: Context): Actor {
  const actor = (ctx.state as RequestState).actor;
  if (!actor) throw unauthenticated();
  return actor;
}

/** The decided shape of a success: `{ success, data, message? }` and what the specification wants at the top level. */
export function answer(data: unknown, extra: { message?: string; [key: string]: unknown } = {}) {
  return { success: true, data, ...extra };
}
