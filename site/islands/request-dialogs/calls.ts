import type {
  ChangeRequest,
  JudgeRow,
  CreatedRequests,
  MakeRequests,
  RequestLink,
  RequestSummary,
  RequestTemplate,
  RequestView,
  RequestsQuery,
} from '#server/requests/contract.ts';
import type { Language } from '#server/text/language.ts';
import { api } from '../../lib/api.ts';

const options = (signal?: AbortSignal) => signal && { signal };
const pathOf = (id: number, rest = '') => `/api/requests/${id}${rest}`;

/** The API of requests for documents. Each call rejects with an ApiError. */
export const calls = {
  list: (query: RequestsQuery = {}, signal?: AbortSignal) =>
    api.get<RequestSummary[]>('/api/requests', { query, ...options(signal) }),
  one: (id: number, signal?: AbortSignal) => api.get<RequestView>(pathOf(id), options(signal)),
  /** In which these clients are written to. */
  languages: (clientIds: readonly number[], signal?: AbortSignal) =>
    api.get<Language[]>('/api/requests/languages', {
      query: { clients: clientIds.join(',') },
      ...options(signal),
    }),
  make: (request: MakeRequests) => api.post<CreatedRequests>('/api/requests', request),
  change: (id: number, request: ChangeRequest) => api.put<RequestView>(pathOf(id), request),
  judge: (id: number, row: number, how: JudgeRow) => api.patch<RequestView>(pathOf(id, `/rows/${row}`), how),
  judgeFile: (id: number, file: number, how: JudgeRow) =>
    api.patch<RequestView>(pathOf(id, `/files/${file}`), how),
  remind: (id: number) => api.post<RequestView>(pathOf(id, '/remind')),
  link: (id: number) => api.post<RequestLink>(pathOf(id, '/link')),
  renew: (id: number) => api.post<RequestLink>(pathOf(id, '/address')),
  close: (id: number) => api.post<RequestView>(pathOf(id, '/close')),
  reopen: (id: number) => api.post<RequestView>(pathOf(id, '/reopen')),
  remove: (id: number) => api.delete<{ done: true }>(pathOf(id)),
  templates: (signal?: AbortSignal) => api.get<RequestTemplate[]>('/api/requests/templates', options(signal)),
  /** Refused with code `template_exists` when another list has the name, unless it is to be replaced. */
  saveTemplate: (name: string, rows: string[], replace = false) =>
    api.post<RequestTemplate>('/api/requests/templates', { name, rows, replace }),
  removeTemplate: (id: string) => api.delete<{ done: true }>(`/api/requests/templates/${id}`),
};
