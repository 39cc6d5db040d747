import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Permission, Role } from '#server/permissions.ts';
import { ROLE_PERMISSIONS, ROLES } from '#server/permissions.ts';

export const mayManage = (actor: Actor): boolean => may(actor, 'team.manage');

/** A user may neither grant nor change a role above their own. */
export const mayGiveRole = (actor: Actor, role: Role): boolean =>
  mayManage(actor) && ROLES.indexOf(role) >= ROLES.indexOf(actor.role);

/** Whether an invitation to a role is still valid: as long as its inviter works here and could send it now. */
export const mayStillInvite = (
  inviter: { role: Role; deactivated_at: string | null },
  role: Role,
): boolean => {
  const permissions: readonly Permission[] = ROLE_PERMISSIONS[inviter.role];
  return (
    inviter.deactivated_at === null &&
    permissions.includes('team.manage') &&
    ROLES.indexOf(role) >= ROLES.indexOf(inviter.role)
  );
};

/** A user may only grant permissions of their own role; a missing seat does not restrict this. */
export const mayGive = (actor: Actor, permission: Permission): boolean =>
  mayManage(actor) && (ROLE_PERMISSIONS[actor.role].includes(permission) || may(actor, permission));
