import { useLastDefined } from './useLastDefined.ts';

/** The filters of the shown list: it remains until the list of changed filters is loaded, during which it is stale. */
export const useShown = <T>(filters: T, stale: boolean): T =>
  useLastDefined(stale ? undefined : filters) ?? filters;
