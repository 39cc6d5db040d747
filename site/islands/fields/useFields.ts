import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldChange } from '#server/fields/contract.ts';
import { fieldCalls, fieldsKey } from '../../lib/fields.ts';
import { readingCalls } from '../../lib/reading.ts';
import { toast } from '../../lib/toast.ts';
import { fieldError } from './fieldError.ts';

const LOOK_MS = 4000;

/** What a file says, and how it is answered and read again. */
export function useFields(id: number) {
  const cache = useQueryClient();
  const [reading, setReading] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: fieldsKey(id),
    queryFn: ({ signal }) => fieldCalls.of(id, signal),
    // What is read in the background tells by itself when it is done; a lost word costs some seconds.
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' && !state.data.paused ? LOOK_MS : false),
  });

  return {
    data,
    error,
    isFetching,
    refetch: () => void refetch(),
    reading,

    /** Rejects when it was not kept; what concerns no open field is told in a toast as well. */
    async answer(change: FieldChange): Promise<void> {
      try {
        cache.setQueryData(fieldsKey(id), await fieldCalls.answer(id, [change]));
        void cache.invalidateQueries({ queryKey: ['history'] });
        void cache.invalidateQueries({ queryKey: ['review'] });
      } catch (failed) {
        if (change.answer !== 'corrected' || change.id === 'type') toast.error(fieldError(failed, change.id));
        throw failed;
      }
    },

    async readAgain(): Promise<void> {
      setReading(true);
      try {
        await readingCalls.readAgain(id);
        await cache.invalidateQueries({ queryKey: fieldsKey(id) });
        void cache.invalidateQueries({ queryKey: ['text-state', id] });
      } catch (failed) {
        toast.error(fieldError(failed, ''));
      } finally {
        setReading(false);
      }
    },
  };
}
