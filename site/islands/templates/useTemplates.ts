import { useCallback, useEffect, useState } from 'react';
import type { TemplateView } from '#server/templates/contract.ts';
import * as t from '#messages/templates.ts';
import { messageOf } from '../../lib/apiError.ts';
import { calls } from './calls.ts';

/** The firm's templates; null until they are known. */
export function useTemplates() {
  const [list, setList] = useState<readonly TemplateView[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  const reload = useCallback(async () => {
    try {
      setList(await calls.list());
      setError(null);
    } catch (failure) {
      setError(messageOf(failure, t.loadFailed));
    }
  }, []);
  useEffect(() => {
    const control = new AbortController();
    calls.list(control.signal).then(setList, (failure: unknown) => {
      if (!control.signal.aborted) setError(messageOf(failure, t.loadFailed));
    });
    return () => control.abort();
  }, []);
  return { list, error, reload };
}
export type KnownTemplates = ReturnType<typeof useTemplates>;
