import { useEffect, useState } from 'react';
import { messageOf } from '../../lib/api.ts';
import type { Results } from '../../lib/search.ts';
import { DEBOUNCE_MS, MIN_LETTERS, NOTHING, searchItems } from '../../lib/search.ts';

/** While searching: what the query before found. */
export interface Found extends Results {
  status: 'idle' | 'searching' | 'found' | 'failed';
  message?: string;
}

const IDLE: Found = { status: 'idle', ...NOTHING };

/** Searches half a second after the last key; an older answer never replaces a newer one. */
export function useSearch(text: string): Found {
  const [answer, setAnswer] = useState<Found & { query: string }>({ ...IDLE, query: '' });
  const query = text.trim();

  useEffect(() => {
    if (query.length < MIN_LETTERS) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      searchItems(query, { signal: abort.signal }).then(
        (results) => setAnswer({ status: 'found', ...results, query }),
        (error: unknown) => {
          if (abort.signal.aborted) return;
          const message = messageOf(error, 'Search is not reachable. Please try again.');
          setAnswer({ status: 'failed', ...NOTHING, message, query });
        },
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query]);

  if (query.length < MIN_LETTERS) return IDLE;
  return answer.query === query ? answer : { ...answer, status: 'searching' };
}
