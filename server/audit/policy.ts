import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** The history tells what everybody in the firm did. */
export const mayReadHistory = (actor: Actor): boolean => may(actor, 'history.read');
