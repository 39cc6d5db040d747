import type { Actor, Permission } from '#server/auth/contract.ts';

/** What an item's visibility hangs on. */
export interface Belonging {
  firm_id: number;
}

export const may = (actor: Actor, permission: Permission): boolean => actor.permissions.includes(permission);

export const mayRead = (actor: Actor, item: Belonging): boolean =>
  item.firm_id === actor.firmId && may(actor, 'documents.read');
export const mayWrite = (actor: Actor, item: Belonging): boolean =>
  mayRead(actor, item) && may(actor, 'documents.write');
export const mayDelete = (actor: Actor, item: Belonging): boolean =>
  mayRead(actor, item) && may(actor, 'documents.delete');
