import { useQuery } from '@tanstack/react-query';
import type { ClientOption } from '#server/clients/contract.ts';
import type { GroupView } from '#server/access/contract.ts';
import { api } from '../../lib/api.ts';
import type { AvailableClients } from './clientChoice.ts';

/** All clients and client groups of the firm. */
export const useAvailableClients = () =>
  useQuery({
    queryKey: ['offered'],
    queryFn: async ({ signal }): Promise<AvailableClients> => {
      const [clients, groups] = await Promise.all([
        api.get<ClientOption[]>('/api/clients/options', { signal }),
        api.get<GroupView[]>('/api/team/client-groups', { signal }),
      ]);
      return { clients, groups };
    },
    staleTime: 0,
  });
