import type { QueryClient } from '@tanstack/react-query';
import type { BulkResult, ItemView, MoveResult } from '#server/documents/contract.ts';
import { moveAnyway } from '#messages/access.ts';
import * as t from '#messages/items.ts';
import { renamedSome, restoredAs } from '#messages/trash.ts';
import { messageOf } from '../../lib/apiError.ts';
import { removeFromListings, refresh } from '../../lib/cache.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { parseDriveUrl } from '../../lib/driveLocation.ts';
import { toast } from '../../lib/toast.ts';
import { trashDays } from '../../lib/trash.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { toastWithUndo } from '../../lib/undo.ts';
import { confirmAccessLoss } from '../access/confirmAccessLoss.ts';
import { countLinks } from '../sharing/countLinks.ts';
import type { ItemScreenModel } from './ItemListModel.ts';
import { moveResolvingConflicts } from './moveResolvingConflicts.ts';

interface Deps extends Pick<ItemScreenModel, 'send'> {
  cache: QueryClient;
  showFailures: (title: string, items: readonly ItemView[], result: BulkResult) => void;
  onMoved: ((undecided: readonly ItemView[]) => void) | undefined;
}

/** What a move did to names, clients and folders, besides what its title says. */
export function moveFacts(
  moved: readonly ItemView[],
  target: number | null,
  { moved: places, former, clients, merged }: MoveResult,
): string {
  // Files that were in the target were replaced.
  const renamed = places.filter((place) => place.renamed && place.parent_id !== target);
  const only = moved.length === 1 ? renamed.find(({ id }) => id === moved[0]?.id) : undefined;
  return [
    !isTitled(moved, clients) && clients.length > 0 && t.nowBelong(former.length, clients),
    only?.renamed
      ? restoredAs(truncateMiddle(only.renamed.to))
      : renamed.length > 0 && renamedSome(renamed.length),
    merged.length > 0 && trashDays() > 0 && t.emptiedInTrash(merged.length),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Whether the title names the client. */
const isTitled = (moved: readonly ItemView[], clients: readonly string[]): boolean =>
  moved.length === 1 && clients.length === 1;

function titleOf(moved: readonly ItemView[], folder: string, { clients }: MoveResult): string {
  const [first] = moved;
  if (moved.length !== 1 || !first) return t.movedItems(moved.length, folder);
  const name = truncateMiddle(first.name);
  return isTitled(moved, clients)
    ? t.movedOneTo(name, folder, truncateMiddle(clients[0]!))
    : t.movedOne(name, folder);
}

/** Selects the items if their folder is shown. */
function select(send: Deps['send'], folder: number | null, ids: readonly number[]): void {
  const shown = parseDriveUrl(new URL(location.href));
  if (shown && !shown.search && shown.folderId === folder && ids.length > 0)
    send({ type: 'restore', focus: ids[0] ?? null, selected: ids });
}

/** Undoes a move: everything returns to its former folder, name and client. */
async function undo(
  { cache, send, showFailures }: Deps,
  items: readonly ItemView[],
  result: MoveResult,
): Promise<void> {
  try {
    const { done, failed } = await documentCalls.undoMove(result);
    removeFromListings(cache, done);
    // Among these are items that are back in their folder, with another client.
    if (failed.length > 0) showFailures(t.notMovedBack(failed.length), items, { done, failed });
  } catch (error) {
    toast.error(messageOf(error, t.moveFailed));
  }
  await refresh(cache);
  for (const [home, group] of Map.groupBy(items, ({ parent_id }) => parent_id))
    select(
      send,
      home,
      group.map(({ id }) => id),
    );
}

/** Moves items, and tells what became of them, with Undo. @returns whether all were moved. @throws {ApiError}. */
export async function moveAndReport(
  deps: Deps,
  items: readonly ItemView[],
  to: { id: number | null; name: string },
): Promise<boolean> {
  if (!(await confirmAccessLoss(items, { parent_id: to.id }, moveAnyway))) return false;
  const { cache, send, showFailures, onMoved } = deps;
  const { undecided, ...result } = await moveResolvingConflicts(items, to.id);
  const { done, failed, merged } = result;
  removeFromListings(cache, done);
  if (failed.length > 0) showFailures(t.notMoved(failed.length), items, result);
  await refresh(cache);
  select(send, to.id, done);
  onMoved?.(undecided);
  const moved = items.filter(({ id, parent_id }) => done.includes(id) && parent_id !== to.id);
  if (moved.length === 0) return failed.length === 0;
  const title = titleOf(moved, truncateMiddle(to.name), result);
  const facts = moveFacts(moved, to.id, result);
  // Without Trash, a folder that was merged is no more.
  if (merged.length > 0 && trashDays() === 0) toast.success(title, facts ? { description: facts } : {});
  else toastWithUndo(title, () => void undo(deps, moved, result), facts);
  const links = await countLinks(moved);
  if (links > 0) toast.info(t.movedShared(links));
  return failed.length === 0;
}
