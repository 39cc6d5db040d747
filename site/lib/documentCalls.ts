import type {
  BulkResult,
  Contents,
  FolderListing,
  ItemView,
  LinkPreview,
  LinkResult,
  MoveResult,
  Conflict,
} from '#server/documents/contract.ts';
import { api } from './api.ts';

/** What is asked of the server about documents. Each rejects with an ApiError. */
export const calls = {
  listing: (folderId: number | null, clientId: number | null, signal?: AbortSignal, search = '') =>
    api.get<FolderListing>('/api/documents', {
      query: { parent_id: folderId, client_id: clientId, search },
      ...(signal && { signal }),
    }),

  /** Folders of the whole drive whose names hold every word of the text, the likeliest first. */
  folders: (text: string, signal: AbortSignal) =>
    api.get<ItemView[]>('/api/documents/search', {
      query: { query: text, type: 'folder', limit: 50 },
      signal,
    }),

  createFolder: (name: string, parentId: number | null, clientId: number | null) =>
    api.post<ItemView>('/api/documents/folder', { name, parent_id: parentId, client_id: clientId }),

  rename: (id: number, name: string) => api.patch<ItemView>(`/api/documents/${id}/rename`, { name }),

  remove: (id: number) => api.delete<unknown>(`/api/documents/${id}`),
  removeAll: (ids: readonly number[]) => api.post<BulkResult>('/api/documents/delete', { ids }),

  /** Without `conflicts`, what meets its name there stays, and is told as `taken`. */
  move: (ids: readonly number[], parentId: number | null, conflicts?: Conflict) =>
    api.post<MoveResult>('/api/documents/move', { ids, parent_id: parentId, conflicts }),

  setClient: (ids: readonly number[], clientId: number | null, contents: Contents) =>
    api.post<LinkResult>('/api/documents/client', { ids, client_id: clientId, contents }),
  previewClient: (ids: readonly number[], clientId: number | null, signal: AbortSignal) =>
    api.post<LinkPreview>('/api/documents/client/preview', { ids, client_id: clientId }, { signal }),

  /** Gives each of the items the client back that it had. */
  async giveBack(former: LinkResult['former']): Promise<void> {
    for (const [clientId, group] of Map.groupBy(former, (one) => one.client_id)) {
      const ids = group.map(({ id }) => id);
      await this.setClient(ids, clientId, 'none');
    }
  },

  /** A link to all of them as one ZIP. */
  async linkToAll(ids: readonly number[]): Promise<string> {
    const answer = await api.post<{ download_url: string }>('/api/documents/download-token', { ids });
    return answer.download_url;
  },

  /** A link to the bytes, good for five minutes; `inline` to show them instead of saving. */
  async link(id: number, { inline = false } = {}): Promise<string> {
    const answer = await api.send<{ download_url: string }>('POST', `/api/documents/${id}/download-token`);
    const url = String(answer['download_url'] ?? answer.data.download_url);
    if (!inline) return url;
    return `${url}${url.includes('?') ? '&' : '?'}inline=1`;
  },
};
