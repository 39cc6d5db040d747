import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Who may change documents may file them. */
export const mayFile = (actor: Actor): boolean => may(actor, 'documents.write');
