import type { FileKind, FileSort } from '#server/documents/contract.ts';
import { FILE_GROUPS } from '#server/documents/contract.ts';
import { writeSearch } from '#server/text/search-filters.ts';
import { isIsoDate } from '../../lib/periods.ts';

/** Filters and sorting of the list of all files, as encoded in the URL. */
export interface Filters {
  search: string;
  group: FileKind | '';
  /** A client's id, `none`, or '' for any. */
  client: string;
  clientName: string;
  owner: string;
  /** A label's id, or '' for any. */
  label: string;
  /** Only files sent from outside that nobody has viewed yet. */
  new: '1' | '';
  /** Only files that were sent back to the client who had sent them. */
  sent_back: '1' | '';
  /** `YYYY-MM-DD`, inclusive; '' is open. */
  from: string;
  to: string;
  sort: FileSort;
  direction: 'asc' | 'desc';
}

export const DEFAULT_FILTERS: Filters = {
  search: '',
  group: '',
  client: '',
  clientName: '',
  owner: '',
  label: '',
  new: '',
  sent_back: '',
  from: '',
  to: '',
  sort: 'modified',
  direction: 'desc',
};

/** Invalid parameters are ignored. */
export function parseFilters(url: URL): Filters {
  const param = (key: keyof Filters) => url.searchParams.get(key) ?? '';
  const id = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? text : '');
  const day = (text: string) => (isIsoDate(text) ? text : '');
  const sort = param('sort');
  return {
    search: param('search').slice(0, 255),
    group: Object.hasOwn(FILE_GROUPS, param('group')) ? (param('group') as FileKind) : '',
    client: param('client') === 'none' ? 'none' : id(param('client')),
    clientName: param('clientName').slice(0, 200),
    owner: id(param('owner')),
    label: id(param('label')),
    new: param('new') === '1' ? '1' : '',
    sent_back: param('sent_back') === '1' ? '1' : '',
    from: day(param('from')),
    to: day(param('to')),
    sort: sort === 'name' || sort === 'size' ? sort : 'modified',
    direction: param('direction') === 'asc' ? 'asc' : 'desc',
  };
}

const DAY_MS = 86_400_000;

/**
 * The filters as a typed search, which also searches inside documents: `client:"Sharma Traders" gratuity`. Null without
 * search words, and if a filter cannot be typed.
 */
export function searchOf(
  filters: Filters,
  owners: readonly { value: number; label: string }[],
): string | null {
  const { search, group, client, clientName, owner, label, from, to, new: fresh, sent_back } = filters;
  const person = owners.find(({ value }) => String(value) === owner)?.label;
  const isMarked = label || fresh || sent_back;
  const isKnown = !isMarked && (!client || client === 'none' || clientName) && (!owner || person);
  if (search.trim() === '' || !isKnown) return null;
  const until = to && new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10);
  const typed = [
    { key: 'client', value: client === 'none' ? 'none' : clientName },
    { key: 'type', value: group },
    { key: 'from', value: person ?? '' },
    { key: 'after', value: from },
    { key: 'before', value: until },
  ] as const;
  return writeSearch(
    search,
    typed.filter(({ key, value }) => value !== '' && (key !== 'client' || client !== '')),
  );
}

export function addressOf(filters: Filters, previewId: number | null = null): string {
  const pairs = Object.entries(filters).filter(
    ([key, value]) => value !== DEFAULT_FILTERS[key as keyof Filters],
  );
  if (previewId !== null) pairs.push(['preview', String(previewId)]);
  return pairs.length === 0 ? '/documents' : `/documents?${new URLSearchParams(pairs)}`;
}

/** The API query. Numbers stay text, as in a URL. */
export const queryOf = ({ clientName: _name, client, owner, label, search, ...rest }: Filters) =>
  Object.fromEntries(
    Object.entries({
      ...rest,
      search: search.trim(),
      client_id: client,
      owner_id: owner,
      label_id: label,
    }).filter(([, value]) => value !== ''),
  ) as Record<string, string>;

export const isFiltered = (filters: Filters): boolean =>
  addressOf({ ...filters, sort: DEFAULT_FILTERS.sort, direction: DEFAULT_FILTERS.direction }) !==
  '/documents';
