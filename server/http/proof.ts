import type { Actor } from '#server/actor.ts';
import type { Middleware } from 'koa';
import { actorOf } from './context.ts';
import { AppError } from './errors.ts';

/** How long a password, code or passkey counts for what cannot be taken back, in ms. */
export const PROOF_LASTS = 10 * 60_000;

/** @throws {AppError} 403 `proof_needed` unless it was proved within `PROOF_LASTS` who sits there. */
export function demandProof(actor: Actor): void {
  if (!actor.proven) throw new AppError(403, 'proof_needed', 'Please confirm that it is you, then go on.');
}

/** Stands in front of a route which a session left open, or stolen, may not use. */
export const recentProof: Middleware = (ctx, next) => {
  demandProof(actorOf(ctx));
  return next();
};
