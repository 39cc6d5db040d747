import type { PortalsQuery } from '#server/portal/contract.ts';
import type { DropsQuery } from '#server/drops/contract.ts';
import type { RequestsQuery } from '#server/requests/contract.ts';
import type { ShareState, SharesQuery } from '#server/sharing/contract.ts';
import { SHARE_STATES } from '#server/sharing/contract.ts';

export const KINDS = ['link', 'request', 'drop', 'page'] as const;
export type Kind = (typeof KINDS)[number];

/** Of what the screen shows; '' for all. */
export interface Filters {
  kind: Kind | '';
  state: ShareState | '';
  /** Ids, as text. */
  client: string;
  item: string;
}

export const NO_FILTERS: Filters = { kind: '', state: '', client: '', item: '' };

/** Requests of one answer. */
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

interface Asked {
  link: SharesQuery | null;
  request: RequestsQuery | null;
  drop: DropsQuery | null;
  page: PortalsQuery | null;
}

/** What each list is asked; null where none of it can answer the filters. */
export function queriesOf({ kind, state, client, item }: Filters): Asked {
  const of = client === '' ? {} : { client: Number(client) };
  const may = (one: Kind) => (kind === '' || kind === one) && (one === 'link' || item === '');
  const link = { ...of, ...(state !== '' && { state }), ...(item !== '' && { item: Number(item) }) };
  const over = state === 'open' ? 'open' : state === 'ended' ? 'over' : 'all';
  const requests = state === '' || over !== 'all';
  return {
    link: may('link') ? link : null,
    request: may('request') && requests ? { ...of, state: over, limit: REQUESTS_PAGE } : null,
    // A revoked one is gone, and there is no other end.
    drop: may('drop') && (state === '' || state === 'open') ? of : null,
    page: may('page') && (state === '' || state === 'open') ? of : null,
  };
}
