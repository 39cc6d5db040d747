import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Admins and managers. */
export const mayManage = (actor: Pick<Actor, 'permissions'>): boolean => may(actor, 'retention.manage');
