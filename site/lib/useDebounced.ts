import { useEffect, useState } from 'react';

const never = () => false;

/**
 * `value` once it has stayed the same for so many milliseconds, or at once where `atOnce` says so of it and of the last
 * one. It must be the same object for as long as it means the same.
 */
export function useDebounced<T>(value: T, ms: number, atOnce: (value: T, last: T) => boolean = never): T {
  const [settled, setSettled] = useState(value);
  const differs = !Object.is(value, settled);
  const now = differs && atOnce(value, settled);
  if (now) setSettled(value);
  useEffect(() => {
    if (!differs) return undefined;
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, differs, ms]);
  return now ? value : settled;
}

/** Of what a list is asked for: a filter counts at once, what is typed when it is settled. */
export const sameSearch = (a: { search: string }, b: { search: string }): boolean => a.search === b.search;
