import type { Sums } from '#server/documents/details/contract.ts';
import type { NoteView } from '#server/documents/notes/contract.ts';
import { api } from '../../lib/api.ts';

/** The API of the details. Each call rejects with an ApiError. */
export const calls = {
  /** Without ids: totals of all of 'My Drive'. */
  sums: (ids: readonly number[], signal: AbortSignal) =>
    api.post<Sums>('/api/documents/sums', { ids }, { signal }),

  notes: (id: number, signal: AbortSignal) => api.get<NoteView[]>(`/api/documents/${id}/notes`, { signal }),
  addNote: (id: number, text: string) => api.post<NoteView>(`/api/documents/${id}/notes`, { text }),
  /** Refused with code `note_changed` if the note is no longer as `seen`. */
  editNote: (id: number, text: string, seen: string) =>
    api.patch<NoteView>(`/api/notes/${id}`, { text, seen }),
  removeNote: (id: number) => api.delete<null>(`/api/notes/${id}`),
};

export const sumsKey = (ids: readonly number[]) => ['sums', ids.join()] as const;
export const notesKey = (id: number) => ['notes', id] as const;
