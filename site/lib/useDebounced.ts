import { useEffect, useState } from 'react';

const never = () => false;

/**
 * `value` once it has not changed for `ms`, or immediately if `isImmediate(value, last)`. Values are compared by identity.
 */
export function useDebounced<T>(
  value: T,
  ms: number,
  isImmediate: (value: T, last: T) => boolean = never,
): T {
  const [settled, setSettled] = useState(value);
  const differs = !Object.is(value, settled);
  const skipDelay = differs && isImmediate(value, settled);
  if (skipDelay) setSettled(value);
  useEffect(() => {
    if (!differs) return undefined;
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, differs, ms]);
  return skipDelay ? value : settled;
}

/** For list queries: a changed filter applies immediately, only typed text is debounced. */
export const sameSearch = (a: { search: string }, b: { search: string }): boolean => a.search === b.search;
