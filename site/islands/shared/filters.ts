import type { PortalsQuery } from '#server/portal/contract.ts';
import type { DropsQuery } from '#server/drop-links/contract.ts';
import type { RequestsQuery } from '#server/requests/contract.ts';
import type { ShareState, SharesQuery } from '#server/sharing/contract.ts';
import { SHARE_STATES } from '#server/sharing/contract.ts';

export const KINDS = ['link', 'request', 'drop', 'page'] as const;
export type Kind = (typeof KINDS)[number];

/** The filters of the screen; '' for all. */
export interface Filters {
  kind: Kind | '';
  state: ShareState | '';
  /** Ids, as text. */
  client: string;
  item: string;
}

export const NO_FILTERS: Filters = { kind: '', state: '', client: '', item: '' };

/** Requests per page. */
export const REQUESTS_PAGE = 100;

const idAt = (text: string | null): string => (/^[1-9]\d{0,14}$/.test(text ?? '') ? text! : '');

export function filtersAt({ searchParams }: URL): Filters {
  const state = searchParams.get('state') as ShareState;
  const kind = searchParams.get('kind') as Kind;
  return {
    kind: KINDS.includes(kind) ? kind : '',
    state: SHARE_STATES.includes(state) ? state : '',
    client: idAt(searchParams.get('client')),
    item: idAt(searchParams.get('item')),
  };
}

export function addressOf(filters: Filters): string {
  const chosen = Object.entries(filters).filter(([, value]) => value !== '');
  return chosen.length === 0 ? '/shared' : `/shared?${new URLSearchParams(chosen)}`;
}

interface Queries {
  link: SharesQuery | null;
  request: RequestsQuery | null;
  drop: DropsQuery | null;
  page: PortalsQuery | null;
}

/** The query for each list; null when the filters exclude the whole list. */
export function queriesOf({ kind, state, client, item }: Filters): Queries {
  const byClient = client === '' ? {} : { client: Number(client) };
  const includes = (candidate: Kind) =>
    (kind === '' || kind === candidate) && (candidate === 'link' || item === '');
  const link = { ...byClient, ...(state !== '' && { state }), ...(item !== '' && { item: Number(item) }) };
  const requestState = state === 'open' ? 'open' : state === 'ended' ? 'over' : 'all';
  const matchesRequests = state === '' || requestState !== 'all';
  return {
    link: includes('link') ? link : null,
    request:
      includes('request') && matchesRequests
        ? { ...byClient, state: requestState, limit: REQUESTS_PAGE }
        : null,
    // Drop links and clients' pages have no ended state: they are deleted when they are revoked.
    drop: includes('drop') && (state === '' || state === 'open') ? byClient : null,
    page: includes('page') && (state === '' || state === 'open') ? byClient : null,
  };
}
