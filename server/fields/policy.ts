import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Whoever sees a page may see what it gives, also without download permission. */
export const maySee = (actor: Actor): boolean => may(actor, 'documents.read');

/** Who may change documents says what they give. */
export const mayAnswer = (actor: Actor): boolean => may(actor, 'documents.write');
