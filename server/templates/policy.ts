import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** A user who may create folders may also apply and edit templates. */
export const mayApply = (actor: Actor): boolean => may(actor, 'documents.write');
