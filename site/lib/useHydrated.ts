import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};
const clientSnapshot = () => true;
const serverSnapshot = () => false;

/**
 * Whether hydration is over. During hydration a component must render the server's markup, although the query cache may
 * already hold data from an earlier screen that the server did not load.
 */
export const useHydrated = (): boolean => useSyncExternalStore(subscribe, clientSnapshot, serverSnapshot);
