import { useEffect, useState } from 'react';
import * as d from '#messages/itemDialogs.ts';
import { ApiError } from '../../../lib/apiError.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';

/** For a folder whose listing failed since it was deleted or has become inaccessible: who deleted it; null for others. */
export function useGoneFolder(id: number | null, error: Error | null): string | null {
  const [told, setTold] = useState<{ id: number; text: string } | null>(null);
  const missing = id !== null && error instanceof ApiError && error.status === 404 ? id : null;
  useEffect(() => {
    if (missing === null) return undefined;
    const controller = new AbortController();
    documentCalls.get(missing, controller.signal).catch((failure: unknown) => {
      if (failure instanceof ApiError && failure.status === 404)
        setTold({ id: missing, text: failure.message });
    });
    return () => controller.abort();
  }, [missing]);
  if (missing === null) return null;
  return d.folderGone(told?.id === missing ? told.text : error!.message);
}
