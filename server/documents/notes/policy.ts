import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Whoever may change documents may write about them. */
export const mayWrite = (actor: Actor): boolean => may(actor, 'documents.write');

/** Nobody changes what another has written. */
export const mayEdit = (actor: Actor, note: { user_id: number }): boolean =>
  mayWrite(actor) && note.user_id === actor.userId;

export const mayDelete = (actor: Actor, note: { user_id: number }): boolean =>
  mayEdit(actor, note) || (actor.role === 'admin' && mayWrite(actor));
