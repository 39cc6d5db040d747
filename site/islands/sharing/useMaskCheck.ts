import { useQuery } from '@tanstack/react-query';
import type { MaskCheck } from '#server/masking/contract.ts';
import type { ShareView } from '#server/sharing/contract.ts';
import { MAX_SHARED_ITEMS } from '#server/sharing/contract.ts';
import { calls } from './calls.ts';

/** How often a dialog asks again while files are still being read. */
const POLL_MS = 4000;

/**
 * Which of these items a link gives when it covers Aadhaar numbers; undefined until it is known. For a link that does
 * (`mask_aadhaar`), what is still missing is prepared, and the check repeated until it is known.
 */
export function useMaskCheck(
  ids: readonly number[],
  { mask_aadhaar, open_locked }: Pick<ShareView, 'mask_aadhaar' | 'open_locked'>,
  { pollMs = POLL_MS } = {},
): MaskCheck | undefined {
  const { data } = useQuery({
    queryKey: ['share-check', mask_aadhaar, open_locked, ...ids],
    queryFn: ({ signal }) => calls.check(ids, { open_locked, prepare: mask_aadhaar }, signal),
    enabled: ids.length > 0 && ids.length <= MAX_SHARED_ITEMS,
    refetchInterval: ({ state }) => (mask_aadhaar && state.data && state.data.waiting > 0 ? pollMs : false),
    staleTime: pollMs,
    placeholderData: (before) => before,
  });
  return data;
}
