import type { ItemDetails } from '#server/documents/details/contract.ts';
import { api } from './api.ts';

/** The query of an item with what its row in a list does not show. It fails with an ApiError. */
export const itemDetails = (id: number) => ({
  queryKey: ['details', id] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.get<ItemDetails>(`/api/documents/${id}/details`, { signal }),
});
