import type { EntriesView, ExtractionView } from '#server/archive/contract.ts';
import * as t from '#messages/archive.ts';
import { api } from '../../lib/api.ts';
import { notifyChanged } from '../../lib/cache.ts';
import type { ExtractionRequest } from './store.ts';
import { createExtractions } from './store.ts';

export const START_FAILED = t.startFailed;

/** The extraction API. Each call rejects with an ApiError. */
const calls = {
  start: (itemId: number, request: ExtractionRequest = {}) =>
    api.post<ExtractionView>(`/api/documents/${itemId}/extract`, request),
  status: (id: number) => api.get<ExtractionView>(`/api/documents/extraction-status/${id}`),
  running: () => api.get<ExtractionView[]>('/api/documents/extraction-status'),
  cancel: (id: number) => api.delete<ExtractionView>(`/api/documents/extraction-status/${id}`),
};

/** Whether a ZIP can only be extracted with a password. Rejects with an ApiError if it cannot be read. */
export async function isLocked(itemId: number): Promise<boolean> {
  const query = { limit: 1 };
  return (await api.get<EntriesView>(`/api/documents/${itemId}/entries`, { query })).encrypted;
}

/** This tab's extractions. A module singleton, shared by all islands. */
export const extractions = createExtractions({ calls });
extractions.onEnded(notifyChanged);
