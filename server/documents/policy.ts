import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** The part of an item that read access depends on. */
interface Belonging {
  firm_id: number;
}

export const mayRead = (actor: Actor, item: Belonging): boolean =>
  item.firm_id === actor.firmId && may(actor, 'documents.read');
