import type { AccessPerson, ClientPerson, Losing, LosingView } from '#server/access/contract.ts';
import { api } from '../../lib/api.ts';

/** An item or a client to which people have access. */
export interface Subject {
  kind: 'item' | 'client';
  id: number;
  name: string;
}

const options = (signal?: AbortSignal) => signal && { signal };

/** The API of access and of assigned people. Each call rejects with an ApiError. */
export const calls = {
  access: ({ kind, id }: Pick<Subject, 'kind' | 'id'>, signal?: AbortSignal) =>
    api.get<AccessPerson[]>(
      `/api/${kind === 'item' ? 'documents' : 'clients'}/${id}/access`,
      options(signal),
    ),
  people: (clientId: number, signal?: AbortSignal) =>
    api.get<ClientPerson[]>(`/api/clients/${clientId}/people`, options(signal)),
  setPeople: (clientId: number, user_ids: readonly number[]) =>
    api.put<ClientPerson[]>(`/api/clients/${clientId}/people`, { user_ids }),
  losing: (change: Losing) => api.post<LosingView>('/api/documents/access/losing', change),
};

export const accessKey = ({ kind, id }: Pick<Subject, 'kind' | 'id'>) => ['access', kind, id] as const;
export const peopleKey = (clientId: number) => ['people', clientId] as const;
