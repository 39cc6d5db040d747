import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

export const mayShare = (actor: Actor): boolean => may(actor, 'share');

/** Whoever shares sees and changes the links of what they see; those of what is in Trash only who made them, and admins. */
export const maySeeLink = (actor: Actor, link: { made_by: number }, sees: boolean): boolean =>
  mayShare(actor) && (sees || link.made_by === actor.userId || actor.role === 'admin');

export const maySetSharing = (actor: Actor): boolean => may(actor, 'team.manage');
