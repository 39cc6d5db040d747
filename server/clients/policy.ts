import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** A user who sees documents also sees their clients. */
export const mayRead = (actor: Actor): boolean => may(actor, 'documents.read') || may(actor, 'clients.write');
export const mayReadFiles = (actor: Actor): boolean => may(actor, 'documents.read');
export const mayWrite = (actor: Actor): boolean => may(actor, 'clients.write');
