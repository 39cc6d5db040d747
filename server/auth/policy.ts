import type { Actor, Permission, Role } from './contract.ts';
import { PERMISSIONS } from './contract.ts';

/** An admin holds every permission, also those that came after the account was made. */
export function permissionsOf(role: Role, granted: readonly string[]): readonly Permission[] {
  if (role === 'admin') return PERMISSIONS;
  return PERMISSIONS.filter((permission) => granted.includes(permission));
}

export const may = (actor: Actor, permission: Permission): boolean => actor.permissions.includes(permission);

export const mayRenameFirm = (actor: Actor): boolean => may(actor, 'team.manage');
