import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { forbidden } from '#server/http/errors.ts';

/** Whoever shares asks clients for documents, and sees the requests to the clients that they see. */
export const mayAsk = (actor: Actor): boolean => may(actor, 'share');

export function demandAsk(actor: Actor): void {
  if (!mayAsk(actor)) throw forbidden();
}
