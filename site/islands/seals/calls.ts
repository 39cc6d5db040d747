import type { BreakSeal, SealedState } from '#server/documents/seals/contract.ts';
import { api } from '../../lib/api.ts';

const pathOf = (id: number) => `/api/documents/${id}/seal`;

/** The seals API. Each call rejects with an ApiError. */
export const seals = {
  state: (id: number, { check = false } = {}) =>
    api.get<SealedState>(pathOf(id), check ? { query: { check: '1' } } : {}),
  seal: (id: number, reason: string) => api.post<SealedState>(pathOf(id), { reason }),
  break: (id: number, request: BreakSeal) => api.post<SealedState>(`${pathOf(id)}/break`, request),
};
