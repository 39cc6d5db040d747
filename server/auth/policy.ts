import type { Actor, Permission, Role } from '#server/actor.ts';
import { PERMISSIONS, ROLE_PERMISSIONS, may } from '#server/actor.ts';

/** What one without a seat of the plan keeps: reading, leaving, and putting the plan and the team in order. */
const WITHOUT_SEAT: ReadonlySet<Permission> = new Set([
  'documents.read',
  'documents.download',
  'documents.unassigned',
  'history.read',
  'billing.manage',
  'team.manage',
]);

/**
 * What the role allows, with what was given to the person and without what was taken; `taken` counts for more. An admin
 * holds every permission, also those that came after the account was made. Words that are no permission count for nothing.
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
  // A role that is not known, as one of a later version, allows nothing by itself.
  const named: readonly Permission[] = Object.hasOwn(ROLE_PERMISSIONS, role) ? ROLE_PERMISSIONS[role] : [];
  return PERMISSIONS.filter(
    (permission) => !taken.includes(permission) && (named.includes(permission) || given.includes(permission)),
  );
}

export const mayRenameFirm = (actor: Actor): boolean => may(actor, 'team.manage');
