import type { ItemDetails, Sums } from '#server/documents/details/contract.ts';
import { api } from '../../lib/api.ts';

/** What is asked about items for the details. Each rejects with an ApiError. */
export const calls = {
  details: (id: number, signal: AbortSignal) =>
    api.get<ItemDetails>(`/api/documents/${id}/details`, { signal }),
  /** Of none, of all of 'My Drive'. */
  sums: (ids: readonly number[], signal: AbortSignal) =>
    api.post<Sums>('/api/documents/sums', { ids }, { signal }),
};

export const detailsKey = (id: number) => ['details', id] as const;
export const sumsKey = (ids: readonly number[]) => ['sums', ids.join()] as const;
