import { useEffect, useState } from 'react';
import type { ReadableAtom } from 'nanostores';
import { throttle } from './throttle.ts';

/** A store's value, taken over at most every so many milliseconds: nobody reads faster, and drawing costs the uploads' time. */
export function useThrottledStore<T>(store: ReadableAtom<T>, every: number): T {
  const [value, setValue] = useState<T>(() => store.get());
  useEffect(() => {
    // In a moment: several changes are made in one go, and the first alone is no state to show.
    const take = throttle(() => queueMicrotask(() => setValue(() => store.get())), every);
    const leave = store.subscribe(take);
    return () => {
      leave();
      take.end();
    };
  }, [store, every]);
  return value;
}
