import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';

export const mayBill = (actor: Actor): boolean => may(actor, 'billing.manage');
