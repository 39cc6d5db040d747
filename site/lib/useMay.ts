import { useStore } from '@nanostores/react';
import type { Permission } from '#server/actor.ts';
import { may } from './permissions.ts';
import { $session } from './session.ts';

/**
 * As `mayNow`, for what is drawn: drawn again when a role changes. In the page itself use `data-needs`, which holds from
 * the first paint on; this is for menus and dialogs, where what is hidden by a style sheet could still be reached by keys.
 */
export function useMay(): (permission: Permission) => boolean {
  useStore($session);
  return may;
}
