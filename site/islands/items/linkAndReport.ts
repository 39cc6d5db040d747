import type { QueryClient } from '@tanstack/react-query';
import type { BulkResult, Contents, ItemView, LinkResult } from '#server/documents/contract.ts';
import { linkAnyway } from '#messages/access.ts';
import * as t from '#messages/items.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import type { ClientRef } from '../../lib/driveLocation.ts';
import { toast } from '../../lib/toast.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { toastWithUndo } from '../../lib/undo.ts';
import { confirmAccessLoss } from '../access/confirmAccessLoss.ts';

interface Deps {
  cache: QueryClient;
  showFailures: (title: string, items: readonly ItemView[], result: BulkResult) => void;
}

function titleOf(items: readonly ItemView[], client: ClientRef | null, done: number): string {
  const one = items.length === 1 ? truncateMiddle(items[0]!.name) : null;
  if (client === null) return one === null ? t.unlinkedItems(done) : t.unlinkedOne(one);
  const to = truncateMiddle(client.name);
  return one === null ? t.linkedItems(done, to) : t.linkedOne(one, to);
}

async function restoreFormerClients(
  { cache, showFailures }: Deps,
  items: readonly ItemView[],
  former: LinkResult['former'],
  now: number | null,
): Promise<void> {
  try {
    const failed = await documentCalls.restoreClients(former, now);
    if (failed.length > 0) showFailures(t.notChanged(failed.length), items, { done: [], failed });
  } catch (error) {
    toast.error(messageOf(error, t.changeClientFailed));
  }
  await refresh(cache);
}

/** Links items to a client, or to none. @returns whether all were changed. @throws {ApiError}. */
export async function linkAndReport(
  deps: Deps,
  items: readonly ItemView[],
  client: ClientRef | null,
  contents: Contents,
): Promise<boolean> {
  const { cache, showFailures } = deps;
  const id = client?.id ?? null;
  if (!(await confirmAccessLoss(items, { client_id: id, contents }, linkAnyway))) return false;
  const ids = items.map((item) => item.id);
  const { done, failed, former, inside, later } = await documentCalls.setClient(ids, id, contents, items);
  await refresh(cache);
  if (done.length > 0) {
    const linked = titleOf(items, client, done.length);
    const title = inside > 0 ? t.withItemsInside(linked, inside) : linked;
    if (later) toast.success(title, { description: t.restInBackground });
    else if (former.length > 0)
      toastWithUndo(title, () => void restoreFormerClients(deps, items, former, id));
    else toast.success(title);
  }
  if (failed.length > 0) showFailures(t.notChanged(failed.length), items, { done, failed });
  return failed.length === 0;
}
