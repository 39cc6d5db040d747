import { QueryClient, keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDebounced } from './useDebounced.ts';

/** Results are never reused: each lookup sends a request. */
const cache = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: 'always', staleTime: 0 } },
});

interface DebouncedQuery<Result> {
  /** First part of the query key. */
  name: string;
  load: (text: string, signal: AbortSignal) => Promise<Result>;
  debounceMs: number;
  /** Whether to search for the text; by default from one letter on. */
  enabled?: (text: string) => boolean;
}

/**
 * Searches while the user types. An older response never replaces a newer one; while a response is pending, `data` is the
 * previous result.
 */
export function useDebouncedQuery<Result>(
  typed: string,
  { name, load, debounceMs, enabled = (value) => value !== '' }: DebouncedQuery<Result>,
) {
  const text = typed.trim();
  const settled = useDebounced(text, debounceMs);
  const isEnabled = enabled(text);
  const query = useQuery(
    {
      queryKey: [name, settled],
      queryFn: ({ signal }) => load(settled, signal),
      enabled: isEnabled && enabled(settled),
      placeholderData: keepPreviousData,
    },
    cache,
  );
  const { data, error, isFetching, isPlaceholderData } = query;
  return {
    data,
    error,
    /** The text to which `data` and `error` belong. */
    text: settled,
    pending: isEnabled && (text !== settled || (isFetching && (isPlaceholderData || data === undefined))),
    fetching: isFetching,
    retry: () => void query.refetch(),
  };
}
