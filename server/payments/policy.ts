import type { Actor } from '#server/auth/contract.ts';

export const mayPay = (actor: Actor): boolean => actor.permissions.includes('billing.manage');
