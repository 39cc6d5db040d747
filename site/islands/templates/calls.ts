import type {
  Application,
  Applied,
  TemplateInput,
  TemplatePreview,
  TemplateView,
} from '#server/templates/contract.ts';
import { api } from '../../lib/api.ts';

const at = (id: string, act = '') => `/api/templates/${encodeURIComponent(id)}${act}`;

/** The API of folder templates. Each call rejects with an ApiError. */
export const calls = {
  list: (signal?: AbortSignal) => api.get<TemplateView[]>('/api/templates', signal && { signal }),
  create: (template: TemplateInput) => api.post<TemplateView>('/api/templates', template),
  update: (id: string, template: TemplateInput & { version: number | null }) =>
    api.put<TemplateView>(at(id), { ...template, version: template.version ?? undefined }),
  remove: (id: string) => api.delete<null>(at(id)),
  preview: (id: string, request: Application, signal: AbortSignal) =>
    api.post<TemplatePreview>(at(id, '/preview'), request, { signal }),
  apply: (id: string, request: Application) => api.post<Applied>(at(id, '/apply'), request),
};
