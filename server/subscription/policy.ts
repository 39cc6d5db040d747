import type { Actor } from '#server/auth/contract.ts';

/** Trial, orders and payments bind the whole firm. */
export const mayBuy = (actor: Actor): boolean => actor.permissions.includes('billing.manage');
