import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Everything leaves the house at once: only for those who manage the firm and may read all of it. */
export const mayExport = (actor: Actor): boolean => may(actor, 'team.manage') && may(actor, 'documents.read');
