import type { EntriesView, ExtractionView } from '#server/archive/contract.ts';
import { api } from '../../lib/api.ts';
import { changed } from '../../lib/cache.ts';
import { token } from '../../lib/token.ts';
import { queue } from '../uploads/uploads.ts';
import type { Wish } from './store.ts';
import { createExtractions } from './store.ts';

export const START_FAILED = 'Failed to start ZIP extraction. Please try again.';

/** What an archive's screens ask of the server. Each rejects with an ApiError. */
export const archiveCalls = {
  start: (itemId: number, wish: Wish = {}) =>
    api.post<ExtractionView>(`/api/documents/${itemId}/extract`, wish),
  status: (id: number) => api.get<ExtractionView>(`/api/documents/extraction-status/${id}`),
  running: () => api.get<ExtractionView[]>('/api/documents/extraction-status'),
  cancel: (id: number) => api.delete<ExtractionView>(`/api/documents/extraction-status/${id}`),
  entries: (
    itemId: number,
    query: { path: string; search: string; offset: number; limit: number },
    signal: AbortSignal,
  ) => api.get<EntriesView>(`/api/documents/${itemId}/entries`, { query, signal }),
};

/** This tab's extractions. One module, so every island sees the same. */
export const extractions = createExtractions({ calls: archiveCalls });
extractions.onEnded(changed);

/** Follows what runs at the server: from before the page was loaded, and what uploads begin. */
export function watchExtractions(): () => void {
  if (token.get()) void extractions.resume().catch(() => {});
  return queue.onCompleted(({ result }) => {
    if (result?.extraction_id) void extractions.adopt(result.extraction_id).catch(() => {});
  });
}
