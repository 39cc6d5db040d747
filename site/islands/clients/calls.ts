import type {
  ClientField,
  ClientInput,
  ClientPage,
  ClientQuery,
  ClientView,
  ImportPreview,
} from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { ApiError, api } from '../../lib/api.ts';

const BAD_ID = t.invalidId;

/** The id that somebody named; text may come from an address. @throws {ApiError} with `none` when there is no name. */
export function readClientId(text: string | number | null, none: string): number {
  if (text === null || text === '') throw new ApiError(422, 'invalid', none);
  if (!/^[1-9]\d{0,14}$/.test(String(text))) throw new ApiError(422, 'invalid', BAD_ID);
  return Number(text);
}

/** How a file is to be read; what is left out is guessed. */
export interface Choices {
  mapping?: readonly (ClientField | null)[];
  sheet?: string | undefined;
  /** Rows that are wrong. */
  leaveOut?: boolean;
  /** Of the preview that is being imported. */
  asOf?: string | undefined;
}

/** Sends a file of clients. */
function sendTable<T>(path: string, file: File, choices: Choices): Promise<T> {
  const { mapping, sheet, leaveOut, asOf } = choices;
  const form = new FormData();
  if (mapping) form.set('mapping', JSON.stringify(mapping));
  if (sheet) form.set('sheet', sheet);
  if (leaveOut) form.set('leave_out', '1');
  if (asOf) form.set('as_of', asOf);
  form.set('file', file);
  return api.post<T>(path, form);
}

/** What the clients screen asks of the server. Each rejects with an ApiError. */
export const calls = {
  list: ({ limit, ...query }: ClientQuery, signal?: AbortSignal) =>
    api.get<ClientPage>('/api/clients', { query: { ...query, limit }, ...(signal && { signal }) }),

  one: (id: number) => api.get<ClientView>(`/api/clients/${id}`),
  tied: (id: number) => api.get<{ files: number; folders: number }>(`/api/clients/${id}/tied`),
  create: (client: ClientInput) => api.post<ClientView>('/api/clients', client),

  async update(id: number, client: ClientInput & { version: number }): Promise<ClientView> {
    const path = `/api/clients/${id}`;
    try {
      return await api.put<ClientView>(path, client);
    } catch (error) {
      // Some servers in front of ours know PATCH only.
      const retry = error instanceof ApiError && (error.status === 404 || error.status === 405);
      if (!retry) throw error;
      return api.patch<ClientView>(path, client);
    }
  },

  remove: (id: number) => api.delete<{ untied: number }>(`/api/clients/${id}`),

  preview: (file: File, choices: Choices) =>
    sendTable<ImportPreview>('/api/clients/import/preview', file, choices),
  import: (file: File, choices: Choices) =>
    sendTable<{ created: number; updated: number; unchanged: number; left_out: number }>(
      '/api/clients/import',
      file,
      choices,
    ),
};
