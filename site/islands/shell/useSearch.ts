import { useEffect, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { messageOf } from '../../lib/api.ts';
import { DEBOUNCE_MS, MIN_LETTERS, searchItems } from '../../lib/search.ts';

export interface Found {
  status: 'idle' | 'searching' | 'found' | 'failed';
  /** While searching: what the query before found. */
  items: ItemView[];
  total: number;
  message?: string;
}

const IDLE: Found = { status: 'idle', items: [], total: 0 };

/** Searches half a second after the last key; an older answer never replaces a newer one. */
export function useSearch(text: string): Found {
  const [answer, setAnswer] = useState<Found & { query: string }>({ ...IDLE, query: '' });
  const query = text.trim();

  useEffect(() => {
    if (query.length < MIN_LETTERS) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      searchItems(query, abort.signal).then(
        (results) => setAnswer({ status: 'found', ...results, query }),
        (error: unknown) => {
          if (abort.signal.aborted) return;
          const message = messageOf(error, 'Search is not reachable. Please try again.');
          setAnswer({ status: 'failed', items: [], total: 0, message, query });
        },
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query]);

  if (query.length < MIN_LETTERS) return IDLE;
  return answer.query === query ? answer : { status: 'searching', items: answer.items, total: answer.total };
}
