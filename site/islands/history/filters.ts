import type { AuditKind } from '#server/audit/contract.ts';
import { AUDIT_KINDS } from '#server/audit/contract.ts';
import { isIsoDate } from '../../lib/periods.ts';

/** The filters of the history, as in the URL; '' for no filter. */
export interface Filters {
  /** Ids. */
  person: string;
  client: string;
  item: string;
  kind: AuditKind | '';
  /** `YYYY-MM-DD`, days in India, inclusive. */
  from: string;
  to: string;
}

export const NO_FILTERS: Filters = { person: '', client: '', item: '', kind: '', from: '', to: '' };

/** Reads the filters from a URL and ignores invalid values. */
export function filtersAt({ searchParams }: URL): Filters {
  const param = (key: keyof Filters) => searchParams.get(key) ?? '';
  const id = (key: keyof Filters) => (/^[1-9]\d{0,14}$/.test(param(key)) ? param(key) : '');
  const day = (key: keyof Filters) => (isIsoDate(param(key)) ? param(key) : '');
  return {
    person: id('person'),
    client: id('client'),
    item: id('item'),
    kind: AUDIT_KINDS.find((kind) => kind === param('kind')) ?? '',
    from: day('from'),
    to: day('to'),
  };
}

/** The query parameters of the API. */
export const queryOf = (filters: Filters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));

const withQuery = (path: string, filters: Filters): string => {
  const query = new URLSearchParams(queryOf(filters));
  return query.size === 0 ? path : `${path}?${query}`;
};
export const addressOf = (filters: Filters): string => withQuery('/history', filters);
export const exportOf = (filters: Filters): string => withQuery('/api/audit/export', filters);

export const isFiltered = (filters: Filters): boolean => Object.keys(queryOf(filters)).length > 0;
