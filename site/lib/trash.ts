import type { BulkResult, Staying } from '#server/documents/contract.ts';
import type { RestoreItems, RestoreResult, TrashPage } from '#server/documents/trash/contract.ts';
import * as common from '#messages/common.ts';
import { api } from './api.ts';

/** For how many days something stays in Trash that is deleted now; 0: there is none, and it is gone. */
export const trashDays = (): number => Number(document.body.dataset['trashDays'] ?? 0);

/** Where something in Trash was, for people. */
export const formerPath = ({ path }: { path: string | null }): string =>
  [common.myDrive, path].filter(Boolean).join(' / ');

/** What is asked of the server about Trash. Each rejects with an ApiError. */
export const trashCalls = {
  list: (query: Record<string, string | number>, signal?: AbortSignal) =>
    api.get<TrashPage>('/api/trash', { query, ...(signal && { signal }) }),
  restore: (request: RestoreItems) => api.post<RestoreResult>('/api/trash/restore', request),
  deleteForever: (ids: readonly number[]) => api.post<BulkResult>('/api/trash/delete', { ids }),
  /** What of these, or of all, would stay, and why. */
  preview: (ids?: readonly number[]) =>
    api.post<Staying>('/api/trash/delete/preview', { ...(ids && { ids }) }),
  empty: () => api.post<{ deleted: number; kept: number }>('/api/trash/empty', {}),
};
