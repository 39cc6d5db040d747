import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Users who may change documents may file them. */
export const mayFile = (actor: Actor): boolean => may(actor, 'documents.write');
