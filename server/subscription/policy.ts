import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Trials, orders and payments affect the whole firm. */
export const mayBuy = (actor: Actor): boolean => may(actor, 'billing.manage');
