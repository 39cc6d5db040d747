import type { Actor } from '#server/auth/contract.ts';

/** The history tells what everybody in the firm did. */
export const mayReadHistory = (actor: Actor): boolean => actor.permissions.includes('history.read');
