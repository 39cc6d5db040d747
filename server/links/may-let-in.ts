import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/**
 * Whether a user may decide which e-mail addresses open a client's page. Whoever opens it may download what colleagues
 * have shared there, and no download counts towards the limit of the user who has let them in.
 */
export const mayLetIn = (actor: Pick<Actor, 'permissions' | 'dailyDownloads'>): boolean =>
  may(actor, 'documents.download') && actor.dailyDownloads === null;
