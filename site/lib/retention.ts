import type {
  ConfirmDestruction,
  DestructionPage,
  DestructionView,
  ItemRetention,
  KeptPage,
  MarkItem,
  RetentionOverview,
  RuleInput,
  RuleReach,
  RuleView,
} from '#server/documents/retention/contract.ts';
import * as t from '#messages/retention.ts';
import { api } from './api.ts';

/** The retention API. Each call rejects with an ApiError. */
export const retentionCalls = {
  overview: (signal: AbortSignal) => api.get<RetentionOverview>('/api/retention', { signal }),
  files: (query: Record<string, string>, signal?: AbortSignal) =>
    api.get<KeptPage>('/api/retention/files', { query, ...(signal && { signal }) }),
  reach: (rule: RuleInput) => api.post<RuleReach>('/api/retention/rules/reach', rule),
  add: (rule: RuleInput) => api.post<RuleView>('/api/retention/rules', rule),
  change: (id: number, rule: RuleInput) => api.put<RuleView>(`/api/retention/rules/${id}`, rule),
  remove: (id: number, reason: string) => api.post<null>(`/api/retention/rules/${id}/remove`, { reason }),
  destructions: (cursor: string, signal: AbortSignal) =>
    api.get<DestructionPage>('/api/retention/destructions', { query: { cursor }, signal }),
  destroy: (request: ConfirmDestruction) => api.post<DestructionView>('/api/retention/destructions', request),
  of: (id: number, signal: AbortSignal) =>
    api.get<ItemRetention>(`/api/documents/${id}/retention`, { signal }),
  mark: (id: number, request: MarkItem) =>
    api.patch<ItemRetention>(`/api/documents/${id}/retention`, request),
};

export const certificateUrl = (id: number): string => `/api/retention/destructions/${id}/certificate`;

/** `7 years`, `18 months`. */
export const formatPeriod = (months: number): string =>
  months % 12 === 0 ? t.years(months / 12) : t.months(months);
