import type { Actor } from '#server/actor.ts';
import type { Middleware } from 'koa';
import { actorOf } from './context.ts';
import { AppError } from './errors.ts';

/** How long a password, code or passkey counts as recent proof of identity, in ms. */
export const PROOF_LASTS_MS = 10 * 60_000;

/**
 * @throws {AppError} 403 `proof_needed` unless the user has confirmed their identity within the last
 * `PROOF_LASTS_MS`.
 */
export function requireProof(actor: Actor): void {
  if (!actor.proven) throw new AppError(403, 'proof_needed', 'Please confirm that it is you, then go on.');
}

/** Guards a route that an unattended or stolen session must not use. */
export const requireRecentProof: Middleware = (ctx, next) => {
  requireProof(actorOf(ctx));
  return next();
};
