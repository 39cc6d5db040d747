import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Trial, orders and payments bind the whole firm. */
export const mayBuy = (actor: Actor): boolean => may(actor, 'billing.manage');
