import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Users who see a document see its values, also without download permission. */
export const maySee = (actor: Actor): boolean => may(actor, 'documents.read');

/** Users who may change documents may answer. */
export const mayAnswer = (actor: Actor): boolean => may(actor, 'documents.write');
