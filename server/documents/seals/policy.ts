import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

/** Admins and managers. */
export const maySeal = (actor: Pick<Actor, 'permissions'>): boolean => may(actor, 'retention.manage');

/** Admins only; breaking a seal also requires the password. */
export const mayBreakSeals = (actor: Pick<Actor, 'role' | 'permissions'>): boolean =>
  actor.role === 'admin' && may(actor, 'retention.manage');
