import type { ShareState, ShareView } from '#server/sharing/contract.ts';
import { SHARE_STATES } from '#server/sharing/contract.ts';

/** Which links the screen shows; '' for all. */
export interface Filters {
  state: ShareState | '';
  /** Ids, as text. */
  client: string;
  item: string;
}

export const NO_FILTERS: Filters = { state: '', client: '', item: '' };

const idAt = (text: string | null): string => (/^[1-9]\d{0,14}$/.test(text ?? '') ? text! : '');

export function filtersAt({ searchParams }: URL): Filters {
  const state = searchParams.get('state') as ShareState;
  return {
    state: SHARE_STATES.includes(state) ? state : '',
    client: idAt(searchParams.get('client')),
    item: idAt(searchParams.get('item')),
  };
}

export function addressOf(filters: Filters): string {
  const chosen = Object.entries(filters).filter(([, value]) => value !== '');
  return chosen.length === 0 ? '/shared' : `/shared?${new URLSearchParams(chosen)}`;
}

export const answers = ({ state, client, item }: Filters, share: ShareView): boolean =>
  (state === '' || share.state === state) &&
  (client === '' || String(share.client?.id) === client) &&
  (item === '' || share.items.some(({ id }) => String(id) === item));

/** The clients of these links, by name. */
export function clientsOf(shares: readonly ShareView[]): { id: string; label: string }[] {
  const byId = new Map(
    shares.flatMap(({ client }) => (client ? [[String(client.id), client.name] as const] : [])),
  );
  return Array.from(byId, ([id, label]) => ({ id, label })).toSorted((a, b) =>
    a.label.localeCompare(b.label),
  );
}
