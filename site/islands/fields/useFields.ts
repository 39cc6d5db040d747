import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldChange, FieldsView } from '#server/fields/contract.ts';
import { refreshKeys } from '../../lib/cache.ts';
import { fieldCalls, fieldsKey } from '../../lib/fields.ts';
import { readingCalls } from '../../lib/reading.ts';
import { toast } from '../../lib/toast.ts';
import { fieldError, isChanged } from './fieldError.ts';

const POLL_INTERVAL_MS = 4000;

/** The field values of a file, with calls to answer them and to read the file again. */
export function useFields(id: number) {
  const cache = useQueryClient();
  const [reading, setReading] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: fieldsKey(id),
    queryFn: ({ signal }) => fieldCalls.of(id, signal),
    // An event reports the end of a background reading; polling covers a lost event.
    refetchInterval: ({ state }) =>
      state.data?.state === 'waiting' && !state.data.paused ? POLL_INTERVAL_MS : false,
  });

  return {
    data,
    error,
    isFetching,
    refetch: () => void refetch(),
    reading,

    /**
     * Rejects if it was not saved; an error about no open field is also shown as a toast.
     * @returns the values after it.
     */
    async answer(change: FieldChange): Promise<FieldsView> {
      try {
        const view = await fieldCalls.answer(id, [change]);
        cache.setQueryData(fieldsKey(id), view);
        void refreshKeys(cache, ['history'], ['review']);
        return view;
      } catch (failed) {
        // Shows the present value.
        if (isChanged(failed)) await refetch();
        if (change.answer !== 'corrected' || change.id === 'type') toast.error(fieldError(failed, change.id));
        throw failed;
      }
    },

    async readAgain(): Promise<void> {
      setReading(true);
      try {
        await readingCalls.readAgain(id);
        await refreshKeys(cache, fieldsKey(id), ['text-state', id]);
      } catch (failed) {
        toast.error(fieldError(failed, ''));
      } finally {
        setReading(false);
      }
    },
  };
}
