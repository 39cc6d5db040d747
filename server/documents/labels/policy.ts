import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { seesAll } from '#server/visibility/visible.ts';

/** Whoever may change documents may label them, and make and rename labels. */
export const mayLabel = (actor: Actor): boolean => may(actor, 'documents.write');

/** A label is taken off everything by that, also off what somebody with assigned clients does not see. */
export const mayDeleteLabel = (actor: Actor): boolean => may(actor, 'documents.delete') && seesAll(actor);
