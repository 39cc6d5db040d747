import type {
  ClientField,
  ClientInput,
  ClientPage,
  ClientQuery,
  ClientView,
  ImportPreview,
  TiedView,
} from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { ApiError, api } from '../../lib/api.ts';

const BAD_ID = t.invalidId;

/** Parses a client id, e.g. from a URL. @throws {ApiError} with the message `none` when it is missing. */
export function readClientId(text: string | number | null, none: string): number {
  if (text === null || text === '') throw new ApiError(422, 'invalid', none);
  if (!/^[1-9]\d{0,14}$/.test(String(text))) throw new ApiError(422, 'invalid', BAD_ID);
  return Number(text);
}

/** How a file is read; the server guesses what is not set. */
export interface Choices {
  mapping?: readonly (ClientField | null)[];
  sheet?: string | undefined;
  /** Whether to skip rows with errors. */
  leaveOut?: boolean;
  /** The lines of rows that are not imported. */
  skip?: readonly number[];
  /** The state of the client list when the preview was made. */
  asOf?: string | undefined;
}

/** Sends a file of clients. */
function sendTable<T>(path: string, file: File, choices: Choices): Promise<T> {
  const { mapping, sheet, leaveOut, skip, asOf } = choices;
  const form = new FormData();
  if (mapping) form.set('mapping', JSON.stringify(mapping));
  if (sheet) form.set('sheet', sheet);
  if (leaveOut) form.set('leave_out', '1');
  if (skip && skip.length > 0) form.set('skip', JSON.stringify(skip));
  if (asOf) form.set('as_of', asOf);
  form.set('file', file);
  return api.post<T>(path, form);
}

/** The API of clients. Each call rejects with an ApiError. */
export const calls = {
  list: ({ limit, ...query }: ClientQuery, signal?: AbortSignal) =>
    api.get<ClientPage>('/api/clients', { query: { ...query, limit }, ...(signal && { signal }) }),

  one: (id: number) => api.get<ClientView>(`/api/clients/${id}`),
  tied: (id: number) => api.get<TiedView>(`/api/clients/${id}/tied`),
  create: (client: ClientInput) => api.post<ClientView>('/api/clients', client),

  async update(id: number, client: ClientInput & { version: number }): Promise<ClientView> {
    const path = `/api/clients/${id}`;
    try {
      return await api.put<ClientView>(path, client);
    } catch (error) {
      // Some proxies support PATCH but not PUT.
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
