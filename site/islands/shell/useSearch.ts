import { messageOf } from '../../lib/apiError.ts';
import * as t from '#messages/shell.ts';
import type { Results } from '../../lib/search.ts';
import { DEBOUNCE_MS, MIN_LETTERS, NO_RESULTS, searchItems, narrowResults } from '../../lib/search.ts';
import { useDebouncedQuery } from '../../lib/useDebouncedQuery.ts';

/** While searching: the previous results that still match the query. */
export interface SearchState extends Results {
  status: 'idle' | 'searching' | 'found' | 'failed';
  message?: string;
}

const enabled = (text: string): boolean => text.length >= MIN_LETTERS;
const load = (text: string, signal: AbortSignal): Promise<Results> => searchItems(text, { signal });

/** The search, debounced by half a second. */
export function useSearch(text: string): SearchState {
  const { data, error, pending } = useDebouncedQuery(text, {
    name: 'search',
    load,
    debounceMs: DEBOUNCE_MS,
    enabled,
  });
  if (!enabled(text.trim())) return { status: 'idle', ...NO_RESULTS };
  if (pending) return { status: 'searching', ...narrowResults(data ?? NO_RESULTS, text) };
  if (!error) return { status: 'found', ...(data ?? NO_RESULTS) };
  return {
    status: 'failed',
    ...NO_RESULTS,
    message: messageOf(error, t.searchUnreachable),
  };
}
