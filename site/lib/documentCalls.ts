import { MAX_SEEN_ITEMS } from '#server/documents/contract.ts';
import type {
  BulkResult,
  Contents,
  FolderListing,
  ItemView,
  LinkPreview,
  LinkResult,
  MovePreview,
  MoveResult,
  MoveConflict,
  RenameItems,
  Seen,
  SeenClient,
  DeletionPreview,
  UndoMove,
} from '#server/documents/contract.ts';
import type { PackedListing } from '#server/documents/packed/contract.ts';
import { unpack } from '#server/documents/packed/contract.ts';
import * as common from '#messages/common.ts';
import { api } from './api.ts';
import { linkIn } from './downloadLink.ts';

type Shown = Pick<ItemView, 'id' | 'name' | 'parent_id'> & Pick<Seen, 'undoing'>;

/** The item states on the user's screen; the server refuses items that a colleague has changed since. */
const seenOf = (items: readonly Shown[]): { seen?: Seen[] } =>
  items.length > MAX_SEEN_ITEMS
    ? {}
    : { seen: items.map(({ id, name, parent_id, undoing }) => ({ id, name, parent_id, undoing })) };

/** The documents API. Each call rejects with an ApiError. */
export const documentCalls = {
  listing: async (
    folderId: number | null,
    clientId: number | null,
    signal?: AbortSignal,
    search = '',
  ): Promise<FolderListing> =>
    unpack(
      await api.get<PackedListing>('/api/documents', {
        query: { parent_id: folderId, client_id: clientId, search, form: 'packed' },
        ...(signal && { signal }),
      }),
    ),

  /** Folders of the whole drive whose names contain every word of the text, best match first. */
  folders: (text: string, signal: AbortSignal) =>
    api.get<ItemView[]>('/api/documents/search', {
      query: { query: text, type: 'folder', limit: 50 },
      signal,
    }),

  createFolder: (name: string, parentId: number | null, clientId: number | null) =>
    api.post<ItemView>('/api/documents/folder', { name, parent_id: parentId, client_id: clientId }),

  get: (id: number, signal?: AbortSignal) => api.get<ItemView>(`/api/documents/${id}`, signal && { signal }),

  /** With `seen`, refused with code `item_changed` if a colleague has renamed or moved the item since. */
  rename: (id: number, name: string, seen?: Omit<Shown, 'id'>) =>
    api.patch<ItemView>(`/api/documents/${id}/rename`, {
      name,
      ...(seen && { seen: { name: seen.name, parent_id: seen.parent_id, undoing: seen.undoing } }),
    }),

  /** Items that a colleague has renamed or moved since `seen` keep their names, and are reported as `changed`. */
  renameMany: (names: RenameItems['names'], seen: readonly Shown[]) =>
    api.post<BulkResult>('/api/documents/rename', { names, ...seenOf(seen) }),

  /** Items that a colleague has renamed or moved since are not deleted, and are reported as `changed`. */
  remove: (items: readonly Shown[]) =>
    api.post<BulkResult>('/api/documents/delete', { ids: items.map(({ id }) => id), ...seenOf(items) }),

  /** Which of these items `remove` would not delete, and why. */
  previewRemoval: (items: readonly { id: number }[]) =>
    api.post<DeletionPreview>('/api/documents/delete/preview', { ids: items.map(({ id }) => id) }),

  /**
   * Without `conflicts`, items whose name exists in the target folder are not moved and are reported as `taken`; items
   * that differ from `seen` are reported as `changed`.
   */
  move: (
    ids: readonly number[],
    parentId: number | null,
    { conflicts, ask, seen }: { conflicts?: MoveConflict; ask?: boolean; seen?: readonly Shown[] } = {},
  ) =>
    api.post<MoveResult>('/api/documents/move', {
      ids,
      parent_id: parentId,
      conflicts,
      ask,
      ...(seen && seenOf(seen)),
    }),

  /** To whom the items would belong after a move. */
  previewMove: (ids: readonly number[], parentId: number | null, signal: AbortSignal) =>
    api.post<MovePreview>('/api/documents/move/preview', { ids, parent_id: parentId }, { signal }),

  /** Moved items return to their former folders, names and clients, and emptied folders from Trash. */
  undoMove: ({ moved, former, merged }: UndoMove) =>
    api.post<BulkResult>('/api/documents/move/undo', { moved, former, merged }),

  /** With `seen`, items that a colleague has linked to another client since are skipped and reported as `changed`. */
  setClient: (
    ids: readonly number[],
    clientId: number | null,
    contents: Contents,
    seen: readonly SeenClient[] = [],
  ) =>
    api.post<LinkResult>('/api/documents/client', {
      ids,
      client_id: clientId,
      contents,
      ...(seen.length <= MAX_SEEN_ITEMS && {
        seen: seen.map(({ id, client_id, undoing }) => ({ id, client_id, undoing })),
      }),
    }),
  previewClient: (ids: readonly number[], clientId: number | null, signal: AbortSignal) =>
    api.post<LinkPreview>('/api/documents/client/preview', { ids, client_id: clientId }, { signal }),

  /** Links each item to its former client again, except those linked to another than `now` since. @returns the failures. */
  async restoreClients(former: LinkResult['former'], now: number | null): Promise<BulkResult['failed']> {
    const failures: BulkResult['failed'] = [];
    for (const [clientId, group] of Map.groupBy(former, (item) => item.client_id))
      // In parts, since of more items at once the server would not check what was seen.
      for (let from = 0; from < group.length; from += MAX_SEEN_ITEMS) {
        const some = group.slice(from, from + MAX_SEEN_ITEMS);
        const seen = some.map(({ id }) => ({ id, client_id: now, undoing: true }));
        const ids = some.map(({ id }) => id);
        failures.push(...(await this.setClient(ids, clientId, 'none', seen)).failed);
      }
    return failures;
  },

  /** The URL of one ZIP with all these items. */
  async zipUrl(ids: readonly number[]): Promise<string> {
    return linkIn(await api.post('/api/documents/download-token', { ids }));
  },

  /** A URL of the file's bytes, valid for five minutes; `inline` lets the browser display the file instead of saving it. */
  async downloadUrl(id: number, { inline = false } = {}): Promise<string> {
    const answer = await api.send('POST', `/api/documents/${id}/download-token${inline ? '?inline=1' : ''}`);
    const found = answer['download_url'] === undefined ? answer.data : answer;
    const url = linkIn(found, inline ? common.noPreviewLink : common.noDownloadLink);
    if (!inline) return url;
    return `${url}${url.includes('?') ? '&' : '?'}inline=1`;
  },
};
