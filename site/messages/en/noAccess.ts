import type { Role } from '#server/permissions.ts';
import { list } from './language.ts';

// pages/no-access.astro, in place of a screen that the user may not see.
export const title = (screen: string) => `You cannot open “${screen}”`;
const peopleOf: Record<Role, string> = {
  admin: 'admins',
  manager: 'managers',
  staff: 'staff',
  viewer: 'viewers',
};
export const forRoles = (roles: readonly Role[]) =>
  `Only ${list(roles.map((role) => peopleOf[role]))} see it unless an admin decides otherwise for a person. If you need it, ask an admin of your firm.`;
export const forOperators = 'Only the people who look after this server see it.';
