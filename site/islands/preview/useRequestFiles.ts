import { useQuery } from '@tanstack/react-query';
import { calls } from '../request-dialogs/calls.ts';

/** The ids of the files that came for a request, in the order of its documents; none before they are loaded, or without a request. */
export function useRequestFiles(requestId: number | null): readonly number[] {
  const { data } = useQuery({
    queryKey: ['requests', requestId],
    queryFn: ({ signal }) => calls.one(requestId!, signal),
    enabled: requestId !== null,
  });
  return data?.rows.flatMap(({ files }) => files.flatMap(({ item_id }) => item_id ?? [])) ?? [];
}
