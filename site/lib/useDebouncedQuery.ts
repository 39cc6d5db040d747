import { QueryClient, keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDebounced } from './useDebounced.ts';

/** What was looked up is asked for again each time: it is over when the field is left. */
const cache = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: 'always', staleTime: 0 } },
});

interface LookUp<Answer> {
  /** What the answers are of. */
  of: string;
  ask: (text: string, signal: AbortSignal) => Promise<Answer>;
  /** Milliseconds without a key before anything is asked. */
  wait: number;
  /** Whether it is wanted at all; without this from one letter on. */
  enabled?: (text: string) => boolean;
}

/**
 * What the server finds for a text while it is typed. An older answer never replaces a newer one; until there is one, the
 * answer before stays as `data`, and `pending` says so.
 */
export function useDebouncedQuery<Answer>(
  typed: string,
  { of, ask, wait, enabled = (one) => one !== '' }: LookUp<Answer>,
) {
  const text = typed.trim();
  const settled = useDebounced(text, wait);
  const wanted = enabled(text);
  const query = useQuery(
    {
      queryKey: [of, settled],
      queryFn: ({ signal }) => ask(settled, signal),
      enabled: wanted && enabled(settled),
      placeholderData: keepPreviousData,
    },
    cache,
  );
  const { data, error, isFetching, isPlaceholderData } = query;
  return {
    data,
    error,
    /** What `data` and `error` are about. */
    text: settled,
    pending: wanted && (text !== settled || (isFetching && (isPlaceholderData || data === undefined))),
    fetching: isFetching,
    retry: () => void query.refetch(),
  };
}
