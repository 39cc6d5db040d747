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
  const param = (key: keyof Filters) => url.searchParams.get(key) ?? '';
  const id = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? text : '');
  return {
    search: param('search').slice(0, 255),
    client: param('client') === 'none' ? 'none' : id(param('client')),
    clientName: param('clientName').slice(0, 200),
    person: id(param('person')),
    sort: TRASH_SORTS.find((sort) => sort === param('sort')) ?? 'deleted',
    direction: param('direction') === 'asc' ? 'asc' : 'desc',
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
