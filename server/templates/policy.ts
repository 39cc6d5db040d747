import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Whoever may create folders may create them by a template, and say what it looks like. */
export const mayApply = (actor: Actor): boolean => may(actor, 'documents.write');
