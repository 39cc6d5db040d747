import { sendsEmail } from './sendsEmail.ts';
import { useHydrated } from './useHydrated.ts';

/** `sendsEmail` for what the server renders too: there it is true. */
export const useSendsEmail = (): boolean => {
  const inBrowser = useHydrated();
  return inBrowser ? sendsEmail() : true;
};
