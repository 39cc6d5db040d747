import type { ClientView } from '#server/clients/contract.ts';
import type { Sums } from '#server/documents/details/contract.ts';
import type { MaskCheck } from '#server/masking/contract.ts';
import type { NewShare, ShareSettings, ShareView, SharesQuery } from '#server/sharing/contract.ts';
import type { Language } from '#server/text/language.ts';
import { api } from '../../lib/api.ts';
import type { ShareRequest } from './linkFields.ts';

const options = (signal?: AbortSignal) => signal && { signal };

/** The API of shared links. Each call rejects with an ApiError. */
export const calls = {
  list: (query: SharesQuery = {}, signal?: AbortSignal) =>
    api.get<ShareView[]>('/api/shares', { query, ...options(signal) }),
  /** The link as it is now: the first of the page that begins with it. A link that is there no more is returned as it was. */
  latest: async (share: ShareView): Promise<ShareView> => {
    const [first] = await calls.list({ before: share.id + 1 });
    return first?.id === share.id ? first : share;
  },
  make: (ids: readonly number[], request: ShareRequest) =>
    api.post<NewShare>('/api/shares', { ids, ...request }),
  /** Which of these items a link that covers Aadhaar numbers can show. */
  check: (ids: readonly number[], how: { open_locked: boolean; prepare: boolean }, signal?: AbortSignal) =>
    api.post<MaskCheck>('/api/shares/check', { ids, ...how }, options(signal)),
  /** Totals of these items with all that they contain. */
  sums: (ids: readonly number[], signal: AbortSignal) =>
    api.post<Sums>('/api/documents/sums', { ids }, { signal }),
  change: (id: number, request: ShareRequest) => api.patch<ShareView>(`/api/shares/${id}`, request),
  renew: (id: number) => api.post<NewShare>(`/api/shares/${id}/address`),
  send: (id: number, url: string, emails: string, language: Language) =>
    api.post<{ sent: number }>(`/api/shares/${id}/email`, { url, emails, language }),
  /** Revokes up to MAX_SHARED_ITEMS links. */
  revoke: (ids: readonly number[]) => api.post<{ done: number[] }>('/api/shares/revoke', { ids }),
  marked: (signal?: AbortSignal) => api.get<number[]>('/api/shares/items', options(signal)),
  among: (ids: readonly number[]) => api.post<ShareView[]>('/api/shares/among', { ids }),
  settings: (signal?: AbortSignal) => api.get<ShareSettings>('/api/shares/settings', options(signal)),
  set: (settings: ShareSettings) => api.put<ShareSettings>('/api/shares/settings', settings),
  client: (id: number, signal?: AbortSignal) => api.get<ClientView>(`/api/clients/${id}`, options(signal)),
};
