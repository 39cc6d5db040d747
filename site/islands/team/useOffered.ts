import { useQuery } from '@tanstack/react-query';
import type { ClientOption } from '#server/clients/contract.ts';
import type { GroupView } from '#server/access/contract.ts';
import { api } from '../../lib/api.ts';
import type { Offered } from './clientsChosen.ts';

/** All clients and groups of the firm, for one who manages the team. */
export const useOffered = () =>
  useQuery({
    queryKey: ['offered'],
    queryFn: async ({ signal }): Promise<Offered> => {
      const [clients, groups] = await Promise.all([
        api.get<ClientOption[]>('/api/clients/options', { signal }),
        api.get<GroupView[]>('/api/team/client-groups', { signal }),
      ]);
      return { clients, groups };
    },
    staleTime: 0,
  });
