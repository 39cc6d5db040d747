import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as t from '#messages/templates.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refreshKeys } from '../../lib/cache.ts';
import { calls } from './calls.ts';

const KEY = ['templates'];

/** The firm's templates; null until they are loaded. */
export function useTemplates() {
  const cache = useQueryClient();
  const { data, error } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => calls.list(signal),
    staleTime: 0,
  });
  return {
    list: data ?? null,
    error: error && messageOf(error, t.loadFailed),
    reload: () => refreshKeys(cache, KEY),
  };
}
export type KnownTemplates = ReturnType<typeof useTemplates>;
