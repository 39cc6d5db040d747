import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { seesAll } from '#server/visibility/visible.ts';
import type { ShareMode } from './contract.ts';

export const mayShare = (actor: Actor): boolean => may(actor, 'share');

/**
 * A user who may share sees and changes links to items that they see. Links to items in Trash are visible to their
 * makers and admins only.
 */
export const maySeeLink = (actor: Actor, link: { made_by: number }, sees: boolean): boolean =>
  mayShare(actor) && (sees || link.made_by === actor.userId || actor.role === 'admin');

/**
 * A link shows what its maker sees and counts against its maker's limit. A user with fewer rights must not take it
 * over: with a new address or other recipients they would gain the maker's view.
 */
export const mayTakeLink = (
  actor: Actor,
  // A folder may contain items that the actor does not see. A visible file hides nothing from the actor, unless it is a
  // locked PDF that stays locked for the actor while the link opens it with its maker's sight.
  link: { made_by: number; mode: ShareMode; folders: boolean; opensUnreadable: boolean },
): boolean =>
  link.made_by === actor.userId ||
  ((seesAll(actor) || (!link.folders && !link.opensUnreadable)) &&
    (link.mode === 'view' || (may(actor, 'documents.download') && actor.dailyDownloads === null)));

export const maySetSharing = (actor: Actor): boolean => may(actor, 'team.manage');
