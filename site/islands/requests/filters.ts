import type { RequestSummary } from '#server/requests/contract.ts';

const STATES = ['open', 'all'] as const;
const WAITING = ['client', 'office', 'new'] as const;
const SORTS = ['due', 'client', 'new'] as const;

/** What the list shows, and in which order. */
export interface Filters {
  state: (typeof STATES)[number];
  /** Who acts next, or `new` for requests with documents that nobody has opened yet; '' for all. */
  waiting: (typeof WAITING)[number] | '';
  /** A client's id, as text; '' for all. */
  client: string;
  /** Words of the client's name and of the title, or of the number of the last receipt. */
  search: string;
  sort: (typeof SORTS)[number];
}

export const NO_FILTERS: Filters = { state: 'open', waiting: '', client: '', search: '', sort: 'due' };

const among = <Value extends string>(values: readonly Value[], value: string | null): Value | undefined =>
  values.find((candidate) => candidate === value);

export function filtersAt({ searchParams }: URL): Filters {
  const client = searchParams.get('client') ?? '';
  return {
    state: among(STATES, searchParams.get('state')) ?? NO_FILTERS.state,
    waiting: among(WAITING, searchParams.get('waiting')) ?? NO_FILTERS.waiting,
    client: /^[1-9]\d{0,14}$/.test(client) ? client : NO_FILTERS.client,
    search: searchParams.get('search') ?? NO_FILTERS.search,
    sort: among(SORTS, searchParams.get('sort')) ?? NO_FILTERS.sort,
  };
}

/** @param open the request whose dialog is open. */
export function addressOf(filters: Filters, open: number | null = null): string {
  const chosen = Object.entries(filters).filter(([key, value]) => value !== NO_FILTERS[key as keyof Filters]);
  if (open !== null) chosen.push(['request', String(open)]);
  return chosen.length === 0 ? '/requests' : `/requests?${new URLSearchParams(chosen)}`;
}

/** The requests that the filters show, in their order. @param all as the server sends them: due first. */
export function shownOf(
  all: readonly RequestSummary[],
  { waiting, client, search, sort }: Filters,
): RequestSummary[] {
  const waits = (request: RequestSummary): boolean => {
    if (waiting === 'new') return request.fresh > 0;
    // The office may have something to judge while the client has something to send.
    if (waiting === 'office' && request.to_judge > 0) return true;
    return waiting === '' || request.waiting_for === waiting;
  };
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter(
    (request) =>
      waits(request) &&
      (client === '' || String(request.client.id) === client) &&
      words.every((word) =>
        `${request.client.name} ${request.title} ${request.receipt ?? ''}`.toLowerCase().includes(word),
      ),
  );
  if (sort === 'client') return shown.toSorted((a, b) => a.client.name.localeCompare(b.client.name));
  if (sort === 'new') return shown.toSorted((a, b) => Number(b.fresh > 0) - Number(a.fresh > 0));
  return shown;
}
