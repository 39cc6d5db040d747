import { useEffect, useState } from 'react';
import type { ReadableAtom } from 'nanostores';
import { throttle } from './throttle.ts';

/** A store's value, updated at most every `intervalMs`: rendering more often would only slow down the uploads. */
export function useThrottledStore<T>(store: ReadableAtom<T>, intervalMs: number): T {
  const [value, setValue] = useState<T>(() => store.get());
  useEffect(() => {
    // In a microtask, since several changes are made in one go, and the state after the first is inconsistent.
    const update = throttle(() => queueMicrotask(() => setValue(() => store.get())), intervalMs);
    const unsubscribe = store.subscribe(update);
    return () => {
      unsubscribe();
      update.cancel();
    };
  }, [store, intervalMs]);
  return value;
}
