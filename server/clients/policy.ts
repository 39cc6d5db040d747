import type { Actor } from '#server/auth/contract.ts';

const may = (actor: Actor, permission: Actor['permissions'][number]): boolean =>
  actor.permissions.includes(permission);

/** Whoever sees documents sees whose they are. */
export const mayRead = (actor: Actor): boolean => may(actor, 'documents.read') || may(actor, 'clients.write');
export const mayReadFiles = (actor: Actor): boolean => may(actor, 'documents.read');
export const mayWrite = (actor: Actor): boolean => may(actor, 'clients.write');
