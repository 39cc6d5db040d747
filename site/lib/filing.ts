import type {
  FileDocuments,
  FilingResult,
  FilingRun,
  InboxView,
  SetInbox,
  Suggestions,
} from '#server/filing/contract.ts';
import { api } from './api.ts';

/** The filing screen for these documents, or for all that wait to be filed. */
export const filingHref = (ids: readonly number[]): string =>
  ids.length === 0 ? '/filing' : `/filing?ids=${ids.join(',')}`;

/** The document ids in a URL of the filing screen; empty for all. */
export const parseItemIds = ({ searchParams }: URL): number[] =>
  (searchParams.get('ids') ?? '')
    .split(',')
    .filter((id) => /^[1-9]\d{0,14}$/.test(id))
    .map(Number)
    .slice(0, 100);

/** The filing API. Each call rejects with an ApiError. */
export const filingCalls = {
  suggestions: (ids: readonly number[], client: number | null, signal?: AbortSignal) =>
    api.get<Suggestions>('/api/filing', {
      query: { ...(ids.length > 0 && { ids: ids.join(',') }), ...(client !== null && { client }) },
      ...(signal && { signal }),
    }),
  file: (files: FileDocuments['files']) => api.post<FilingResult>('/api/filing', { files }),
  undo: (run: number) => api.post<FilingResult>(`/api/filing/runs/${run}/undo`, {}),
  runs: (signal: AbortSignal) => api.get<FilingRun[]>('/api/filing/runs', { signal }),
  setPattern: (pattern: string) => api.send<{ pattern: string }>('PUT', '/api/filing/pattern', { pattern }),
  inboxes: (signal?: AbortSignal) =>
    api.get<InboxView[]>('/api/filing/inboxes', { ...(signal && { signal }) }),
  setInbox: (folderId: number, request: SetInbox) =>
    api.send<InboxView[]>('PUT', `/api/filing/inboxes/${folderId}`, request),
};
