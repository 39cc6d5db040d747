import { useEffect, useState } from 'react';

/** What a list is asked for: a filter at once, what is typed when nothing was typed for so many milliseconds. */
export function useSettled<T extends { search: string }>(wanted: T, ms: number): T {
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), wanted.search === asked.search ? 0 : ms);
    return () => clearTimeout(timer);
  }, [wanted, asked.search, ms]);
  return asked;
}
