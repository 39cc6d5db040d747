import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { seesAll } from '#server/visibility/visible.ts';
import type { ShareMode } from './contract.ts';

export const mayShare = (actor: Actor): boolean => may(actor, 'share');

/** Whoever shares sees and changes the links of what they see; those of what is in Trash only who made them, and admins. */
export const maySeeLink = (actor: Actor, link: { made_by: number }, sees: boolean): boolean =>
  mayShare(actor) && (sees || link.made_by === actor.userId || actor.role === 'admin');

/**
 * A link shows what its maker sees and downloads, and counts in its maker's limit. Whoever may see and download less must
 * not take it over: by a new address, or by letting in others, they would look through its maker's eyes.
 */
export const mayTakeLink = (
  actor: Actor,
  // In a folder there may be more than one sees; of a file that one sees there is nothing else.
  link: { made_by: number; mode: ShareMode; folders: boolean },
): boolean =>
  link.made_by === actor.userId ||
  ((seesAll(actor) || !link.folders) &&
    (link.mode === 'view' || (may(actor, 'documents.download') && actor.dailyDownloads === null)));

export const maySetSharing = (actor: Actor): boolean => may(actor, 'team.manage');
