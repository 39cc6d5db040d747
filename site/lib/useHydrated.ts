import { useSyncExternalStore } from 'react';

const never = () => () => {};
const yes = () => true;
const no = () => false;

/**
 * Whether the page is the browser's by now. While it takes over what the server has drawn it must draw the same: the
 * cache may hold, from a screen before, what the server did not ask for.
 */
export const useHydrated = (): boolean => useSyncExternalStore(never, yes, no);
