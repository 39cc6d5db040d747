import { useQuery } from '@tanstack/react-query';
import * as t from '#messages/templates.ts';
import { messageOf } from '../../lib/apiError.ts';
import { calls } from './calls.ts';

/** The firm's templates; null until they are loaded. */
export function useTemplates() {
  const { data, error, refetch } = useQuery({
    queryKey: ['templates'],
    queryFn: ({ signal }) => calls.list(signal),
    staleTime: 0,
  });
  return {
    list: data ?? null,
    error: error && messageOf(error, t.loadFailed),
    reload: async (): Promise<void> => void (await refetch()),
  };
}
export type KnownTemplates = ReturnType<typeof useTemplates>;
