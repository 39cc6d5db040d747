import type { Permission } from '#server/permissions.ts';
import type { UserView } from '#server/auth/contract.ts';
import { $session } from './session.ts';

/** True while the session is unknown. */
export const mayUser = (user: UserView | null, permission: Permission): boolean =>
  user?.permissions.includes(permission) ?? true;

/** Whether the session's user has the permission; true while the session is unknown. The server enforces it. */
export const may = (permission: Permission): boolean => mayUser($session.get().user, permission);

/** The same from the page's `data-may`, which is there before the session is loaded. Browser only. */
export const mayOnPage = (permission: Permission): boolean =>
  document.body.dataset['may']?.split(' ').includes(permission) ?? true;

/**
 * Synchronises the page's `data-may` with the session. The style sheet hides elements whose `data-needs` is not in it,
 * from the first paint on and when a role changes.
 */
export const syncPagePermissions = (): (() => void) =>
  $session.subscribe(({ user }) => {
    if (user) document.body.dataset['may'] = user.permissions.join(' ');
  });
