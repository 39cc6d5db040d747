import type { Actor } from '#server/auth/contract.ts';

export const mayBill = (actor: Actor): boolean => actor.permissions.includes('billing.manage');
