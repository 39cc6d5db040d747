import type { TrashSort } from '#server/documents/trash/contract.ts';
import { TRASH_SORTS } from '#server/documents/trash/contract.ts';

/** Filters and sorting of Trash, as encoded in the URL. */
export interface Filters {
  search: string;
  /** A client's id, `none`, or '' for any. */
  client: string;
  clientName: string;
  /** The id of the user who deleted the item; '' for any. */
  person: string;
  sort: TrashSort;
  direction: 'asc' | 'desc';
}

export const DEFAULT_FILTERS: Filters = {
  search: '',
  client: '',
  clientName: '',
  person: '',
  sort: 'deleted',
  direction: 'desc',
};

/** Invalid parameters are ignored. */
export function parseFilters(url: URL): Filters {
  const given = (key: keyof Filters) => url.searchParams.get(key) ?? '';
  const id = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? text : '');
  return {
    search: given('search').slice(0, 255),
    client: given('client') === 'none' ? 'none' : id(given('client')),
    clientName: given('clientName').slice(0, 200),
    person: id(given('person')),
    sort: TRASH_SORTS.find((sort) => sort === given('sort')) ?? 'deleted',
    direction: given('direction') === 'asc' ? 'asc' : 'desc',
  };
}

export function addressOf(filters: Filters): string {
  const pairs = Object.entries(filters).filter(
    ([key, value]) => value !== DEFAULT_FILTERS[key as keyof Filters],
  );
  return pairs.length === 0 ? '/trash' : `/trash?${new URLSearchParams(pairs)}`;
}

/** The API query. Numbers stay text, as in a URL. */
export const queryOf = ({ search, client, person, sort, direction }: Filters): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ search: search.trim(), client_id: client, user_id: person, sort, direction }).filter(
      ([, value]) => value !== '',
    ),
  );

/** Whether a filter is set. */
export const isFiltered = ({ search, client, person }: Filters): boolean =>
  search.trim() !== '' || client !== '' || person !== '';
