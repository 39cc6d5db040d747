import type { Sort } from '#server/documents/contract.ts';
import { SORTS } from '#server/documents/contract.ts';
import type { Sorting } from '../items/order.ts';
import { BY_NAME } from '../items/order.ts';

/** How somebody likes to see listings. Kept in a cookie, so that the server's page is drawn that way already. */
export interface Preferences {
  view: 'list' | 'grid';
  sorting: Sorting;
}

export const PREFERENCES_COOKIE = 'drive-view';

/** From the cookie's text, such as `grid.modified.desc`; what it does not say is as for a new user. */
export function readPreferences(text: string | undefined): Preferences {
  const [view, by, direction] = (text ?? '').split('.');
  const known = SORTS.includes(by as Sort);
  return {
    view: view === 'grid' ? 'grid' : 'list',
    sorting: known ? { by: by as Sort, descending: direction === 'desc' } : BY_NAME,
  };
}

export const writePreferences = ({ view, sorting }: Preferences): string =>
  `${view}.${sorting.by}.${sorting.descending ? 'desc' : 'asc'}`;

export function keepPreferences(preferences: Preferences): void {
  document.cookie = `${PREFERENCES_COOKIE}=${writePreferences(preferences)}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
