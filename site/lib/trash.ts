import type { BulkResult } from '#server/documents/contract.ts';
import type {
  ForeverPreview,
  RestoreItems,
  RestoreResult,
  TrashPage,
} from '#server/documents/trash/contract.ts';
import * as common from '#messages/common.ts';
import { api } from './api.ts';

/** Days for which a deleted item stays in Trash; 0 if deletion is permanent. */
export const trashDays = (): number => Number(document.body.dataset['trashDays'] ?? 0);

/** The display path from which an item was deleted. */
export const formerPath = ({ path }: { path: string | null }): string =>
  [common.myDrive, path].filter(Boolean).join(' / ');

/** The Trash API. Each call rejects with an ApiError. */
export const trashCalls = {
  list: (query: Record<string, string | number>, signal?: AbortSignal) =>
    api.get<TrashPage>('/api/trash', { query, ...(signal && { signal }) }),
  restore: (request: RestoreItems) => api.post<RestoreResult>('/api/trash/restore', request),
  deleteForever: (ids: readonly number[]) => api.post<BulkResult>('/api/trash/delete', { ids }),
  /** Which of these items, or of all, could not be deleted, and why. */
  preview: (ids?: readonly number[]) =>
    api.post<ForeverPreview>('/api/trash/delete/preview', { ...(ids && { ids }) }),
  empty: () => api.post<{ deleted: number; kept: number }>('/api/trash/empty', {}),
};
