import type { Actor, Permission, Role } from '#server/actor.ts';
import { may, ROLE_PERMISSIONS, ROLES } from '#server/actor.ts';

export const mayManage = (actor: Actor): boolean => may(actor, 'team.manage');

/** Nobody gives, or touches, a role above the own. */
export const mayGiveRole = (actor: Actor, role: Role): boolean =>
  mayManage(actor) && ROLES.indexOf(role) >= ROLES.indexOf(actor.role);

/** Nobody gives what the own role does not have; that a seat is missing takes nothing from the right to give. */
export const mayGive = (actor: Actor, permission: Permission): boolean =>
  mayManage(actor) && (ROLE_PERMISSIONS[actor.role].includes(permission) || may(actor, permission));
