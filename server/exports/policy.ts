import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** An export contains everything, so it takes both rights: to manage the team and to read documents. */
export const mayExport = (actor: Actor): boolean => may(actor, 'team.manage') && may(actor, 'documents.read');
