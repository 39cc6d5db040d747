import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Users who may change documents may write notes on them. */
export const mayWrite = (actor: Actor): boolean => may(actor, 'documents.write');

/** Only the author may edit a note. */
export const mayEdit = (actor: Actor, note: { user_id: number }): boolean =>
  mayWrite(actor) && note.user_id === actor.userId;

export const mayDelete = (actor: Actor, note: { user_id: number }): boolean =>
  mayEdit(actor, note) || (actor.role === 'admin' && mayWrite(actor));
