import type { Actor } from '#server/auth/contract.ts';

/** Whoever may create folders may create them by a template, and say what it looks like. */
export const mayApply = (actor: Actor): boolean => actor.permissions.includes('documents.write');
