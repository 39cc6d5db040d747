import type { Permission } from '#server/actor.ts';
import { $session } from './session.ts';

/** Whether the user may do it, as far as is known here; the server decides, and says so in words. */
export const may = (permission: Permission): boolean =>
  $session.get().user?.permissions.includes(permission) ?? true;

/** The same as the page says, which knows it before the session does. In the browser only. */
export const mayOnPage = (permission: Permission): boolean =>
  document.body.dataset['may']?.split(' ').includes(permission) ?? true;

/**
 * Keeps `data-may` of the page in step with the session: what has `data-needs` is hidden by the style sheet from the
 * first paint on, and comes or goes when a role changes.
 */
export const syncPagePermissions = (): (() => void) =>
  $session.subscribe(({ user }) => {
    if (user) document.body.dataset['may'] = user.permissions.join(' ');
  });
