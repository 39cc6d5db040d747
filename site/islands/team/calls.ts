import type { Assignment, AssignmentView } from '#server/access/contract.ts';
import type { Invitation, Invited, PersonChange, TeamView } from '#server/team/contract.ts';
import { api } from '../../lib/api.ts';

/** The API of the team. Each call rejects with an ApiError. */
export const calls = {
  view: (signal: AbortSignal) => api.get<TeamView>('/api/team', { signal }),
  invite: (request: Omit<Invitation, 'emails'> & { emails: string }) =>
    api.post<Invited[]>('/api/team/invitations', request),
  sendAgain: (id: number) => api.post<Pick<Invited, 'link'> | null>(`/api/team/invitations/${id}/send`),
  revoke: (id: number) => api.delete(`/api/team/invitations/${id}`),
  change: (id: number, change: PersonChange) => api.patch(`/api/team/${id}`, change),
  clients: (id: number, signal: AbortSignal) =>
    api.get<AssignmentView>(`/api/team/${id}/clients`, { signal }),
  assign: (id: number, request: Assignment) => api.put<AssignmentView>(`/api/team/${id}/clients`, request),
  deactivate: (id: number, heir: number | null) => api.post(`/api/team/${id}/deactivate`, { heir }),
  handOver: (id: number, heir: number | null) => api.post(`/api/team/${id}/hand-over`, { heir }),
  reactivate: (id: number) => api.post(`/api/team/${id}/reactivate`),
  keep: (ids: number[]) => api.post('/api/team/keep', { ids }),
  requireTwoStep: (required: boolean, from: string | null = null) =>
    api.put('/api/team/two-step', { required, from }),
};
