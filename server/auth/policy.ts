import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Permission, Role } from '#server/permissions.ts';
import { PERMISSIONS, ROLE_PERMISSIONS } from '#server/permissions.ts';

/** The permissions of a user without a seat: to read and to download, and to change the plan and the team. */
const WITHOUT_SEAT: ReadonlySet<Permission> = new Set([
  'documents.read',
  'documents.download',
  'documents.unassigned',
  'history.read',
  'billing.manage',
  'team.manage',
]);

/**
 * The effective permissions: those of the role and those given to the user, minus those taken away; `taken` wins. An
 * admin holds every permission, including those introduced after the account was created. Unknown names are ignored.
 */
export function permissionsOf(
  role: Role,
  given: readonly string[],
  taken: readonly string[] = [],
  { seated = true } = {},
): readonly Permission[] {
  const allowed = role === 'admin' ? PERMISSIONS : ownPermissions(role, given, taken);
  return seated ? allowed : allowed.filter((permission) => WITHOUT_SEAT.has(permission));
}

function ownPermissions(role: Role, given: readonly string[], taken: readonly string[]): Permission[] {
  // A role that this version does not know allows nothing.
  const ofRole: readonly Permission[] = Object.hasOwn(ROLE_PERMISSIONS, role) ? ROLE_PERMISSIONS[role] : [];
  return PERMISSIONS.filter(
    (permission) =>
      !taken.includes(permission) && (ofRole.includes(permission) || given.includes(permission)),
  );
}

export const mayRenameFirm = (actor: Actor): boolean => may(actor, 'team.manage');
