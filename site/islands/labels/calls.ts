import { useQuery } from '@tanstack/react-query';
import type {
  Labelled,
  LabelChange,
  LabelInput,
  LabelItems,
  LabelView,
} from '#server/documents/labels/contract.ts';
import { api } from '../../lib/api.ts';

/** The labels API. Each call rejects with an ApiError. */
export const calls = {
  all: (signal: AbortSignal) => api.get<LabelView[]>('/api/labels', { signal }),
  create: (label: LabelInput) => api.post<LabelView>('/api/labels', label),
  update: (id: number, change: LabelChange) => api.patch<LabelView>(`/api/labels/${id}`, change),
  remove: (id: number) => api.delete<null>(`/api/labels/${id}`),
  put: (change: LabelItems) => api.post<Labelled>('/api/documents/labels', change),
};

export const labelsKey = ['labels'] as const;

/** All labels of the firm, by name. */
export const useLabels = () => useQuery({ queryKey: labelsKey, queryFn: ({ signal }) => calls.all(signal) });
