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
    const [first] = failed;
    if (first) toast.error(t.notRestored(failed.length), { description: first.message });
  } catch (error) {
    toast.error(messageOf(error, t.restoreFailed));
  }
  await refresh(cache);
}
