import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { forbidden } from '#server/http/errors.ts';

/** A user who may share may request documents, and sees requests to the clients that they see. */
export const mayAsk = (actor: Actor): boolean => may(actor, 'share');

export function requireAsk(actor: Actor): void {
  if (!mayAsk(actor)) throw forbidden();
}
