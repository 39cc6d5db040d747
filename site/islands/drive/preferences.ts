import type { Sort } from '#server/documents/contract.ts';
import { SORTS } from '#server/documents/contract.ts';
import type { Sorting } from '../items/order.ts';
import { BY_NAME } from '../items/order.ts';

/** A user's view settings for listings. Stored in a cookie, so that the server can render them. */
export interface Preferences {
  view: 'list' | 'grid';
  sorting: Sorting;
}

export const PREFERENCES_COOKIE = 'drive-view';

/** Parses the cookie, such as `grid.modified.desc`; missing or invalid parts get the defaults. */
export function readPreferences(text: string | undefined): Preferences {
  const [view, by, direction] = (text ?? '').split('.');
  const isSort = SORTS.includes(by as Sort);
  return {
    view: view === 'grid' ? 'grid' : 'list',
    sorting: isSort ? { by: by as Sort, descending: direction === 'desc' } : BY_NAME,
  };
}

export const writePreferences = ({ view, sorting }: Preferences): string =>
  `${view}.${sorting.by}.${sorting.descending ? 'desc' : 'asc'}`;

export function savePreferences(preferences: Preferences): void {
  document.cookie = `${PREFERENCES_COOKIE}=${writePreferences(preferences)}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
