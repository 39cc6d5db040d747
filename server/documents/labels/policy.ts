import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { seesAll } from '#server/visibility/visible.ts';

/** Users who may change documents may assign, create and rename labels. */
export const mayLabel = (actor: Actor): boolean => may(actor, 'documents.write');

/** Deleting a label removes it from all items, including those that a user with assigned clients does not see. */
export const mayDeleteLabel = (actor: Actor): boolean => may(actor, 'documents.delete') && seesAll(actor);
