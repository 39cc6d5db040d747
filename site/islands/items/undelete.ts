import type { QueryClient } from '@tanstack/react-query';
import * as t from '#messages/trash.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { toast } from '../../lib/toast.ts';
import { trashCalls } from '../../lib/trash.ts';

/** Undoes a deletion: restores items from Trash to their folders, under a new name if theirs is taken. */
export async function undelete(cache: QueryClient, ids: readonly number[]): Promise<void> {
  try {
    const { failed } = await trashCalls.restore({ ids: [...ids], conflicts: 'keep' });
    // Without a name: the item was in a folder of the same selection, and was restored with it.
    const notRestored = failed.filter(({ name }) => name !== null);
    if (notRestored.length > 0) toast.error(t.notRestored(notRestored.length));
  } catch (error) {
    toast.error(messageOf(error, t.restoreFailed));
  }
  await refresh(cache);
}
