import { useStore } from '@nanostores/react';
import type { Permission } from '#server/permissions.ts';
import { mayUser } from './permissions.ts';
import { $session } from './session.ts';

/**
 * `may` as a hook: the component renders again when a role changes. In the page itself use `data-needs`, which applies from
 * the first paint on; use this hook in menus and dialogs, where keys would still reach an element hidden by CSS.
 */
export function useMay(): (permission: Permission) => boolean {
  const { user } = useStore($session, { ssr: 'initial' });
  return (permission) => mayUser(user, permission);
}
