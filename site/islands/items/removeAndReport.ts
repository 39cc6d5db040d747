import type { QueryClient } from '@tanstack/react-query';
import type { BulkResult, ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import * as trash from '#messages/trash.ts';
import { messageOf } from '../../lib/apiError.ts';
import { removeFromListings, refresh } from '../../lib/cache.ts';
import { confirm } from '../../lib/confirm.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { toast } from '../../lib/toast.ts';
import { trashDays } from '../../lib/trash.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { toastWithUndo } from '../../lib/undo.ts';
import { countLinks } from '../sharing/countLinks.ts';
import { deletionText, withStaying, withTimeout } from './staying.ts';
import { undelete } from './undelete.ts';

interface Deps {
  cache: QueryClient;
  clearSelection: () => void;
  setAlert: (message: string | null) => void;
  showFailures: (title: string, items: readonly ItemView[], result: BulkResult) => void;
}

const withLinkNote = (text: string, links: number): string =>
  links > 0 ? `${text} ${t.alsoShared(links)}` : text;

async function removeOne({ cache, setAlert }: Deps, item: ItemView): Promise<boolean> {
  const days = trashDays();
  const [links, staying] = await Promise.all([
    countLinks([item]),
    withTimeout(documentCalls.previewRemoval([item])),
  ]);
  const question = {
    title: t.deleteOneQuestion(truncateMiddle(item.name)),
    body: withLinkNote(deletionText([item], days, staying), links),
    action: t.deleteOne(truncateMiddle(item.name)),
    danger: true,
  };
  const yes = await confirm(withStaying(question, 1, staying));
  if (!yes) return false;
  let isDeleted = true;
  try {
    const [failed] = (await documentCalls.remove([item])).failed;
    if (failed) setAlert(failed.message);
    else {
      removeFromListings(cache, [item.id]);
      if (days > 0)
        toastWithUndo(trash.movedOne(truncateMiddle(item.name)), () => void undelete(cache, [item.id]));
      else toast.success(t.deletedOne(truncateMiddle(item.name)));
    }
    isDeleted = !failed || failed.name === null;
  } catch (error) {
    isDeleted = false;
    setAlert(messageOf(error, t.deleteFailed));
  }
  // The preview opens the next file at once.
  void refresh(cache);
  return isDeleted;
}

async function removeMany(
  { cache, clearSelection, setAlert, showFailures }: Deps,
  items: readonly ItemView[],
): Promise<boolean> {
  const days = trashDays();
  const [links, staying] = await Promise.all([
    countLinks(items),
    withTimeout(documentCalls.previewRemoval(items)),
  ]);
  const question = {
    title: t.deleteQuestion(items.length),
    body: withLinkNote(deletionText(items, days, staying), links),
    action: t.deleteItems(items.length),
    danger: true,
  };
  const yes = await confirm(withStaying(question, items.length, staying, t.deleteItems));
  if (!yes) return false;
  let areDeleted = false;
  try {
    const result = await documentCalls.remove(items);
    removeFromListings(cache, result.done);
    areDeleted = result.failed.length === 0;
    clearSelection();
    const count = result.done.length;
    if (count > 0 && days > 0) toastWithUndo(trash.moved(count), () => void undelete(cache, result.done));
    else if (count > 0) toast.success(t.deleted(count));
    if (result.failed.length > 0) showFailures(t.someNotDeleted(result.failed.length), items, result);
  } catch (error) {
    setAlert(messageOf(error, t.deleteItemsFailed));
  }
  await refresh(cache);
  return areDeleted;
}

/** Deletes items after a confirmation, and tells what became of them, with Undo. @returns whether all were deleted. */
export const removeAndReport = (deps: Deps, items: readonly ItemView[]): Promise<boolean> =>
  items.length === 1 && items[0] ? removeOne(deps, items[0]) : removeMany(deps, items);
