import type { QueryClient } from '@tanstack/react-query';
import * as t from '#messages/trash.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { toast } from '../../lib/toast.ts';
import { trashCalls } from '../../lib/trash.ts';

/** Takes a deletion back: what was moved to Trash goes to where it was, beside what has taken its name meanwhile. */
export async function undelete(cache: QueryClient, ids: readonly number[]): Promise<void> {
  try {
    const { failed } = await trashCalls.restore({ ids: [...ids], conflicts: 'keep' });
    // What lay in a folder that was chosen as well has come back with that.
    const left = failed.filter(({ name }) => name !== null);
    if (left.length > 0) toast.error(t.notRestored(left.length));
  } catch (error) {
    toast.error(messageOf(error, t.restoreFailed));
  }
  await refresh(cache);
}
