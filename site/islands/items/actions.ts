import type { QueryClient } from '@tanstack/react-query';
import type { BulkResult, Contents, ItemView, MoveResult } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import * as trash from '#messages/trash.ts';
import { messageOf } from '../../lib/apiError.ts';
import { markViewed } from '../../lib/viewedFiles.ts';
import { confirm } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { exportFields } from '../../lib/fields.ts';
import { downloadFrom } from '../../lib/download.ts';
import { toast } from '../../lib/toast.ts';
import { toastWithUndo } from '../../lib/undo.ts';
import { START_FAILED, extractions, isLocked } from '../archive/extractions.ts';
import { removeFromListings, refresh } from '../../lib/cache.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { linkAnyway, moveAnyway } from '#messages/access.ts';
import { askBeforeLosing } from '../access/losing.ts';
import { alsoShared, movedShared } from '#messages/sharing.ts';
import { sharedAmong } from '../sharing/sharedAmong.ts';
import { trashDays } from '../../lib/trash.ts';
import { moveAsking } from './moveAsking.ts';
import { askedWith, soon } from './staying.ts';
import { undelete } from './undelete.ts';
import type { ClientRef } from '../../lib/driveLocation.ts';
import { parseDriveUrl } from '../../lib/driveLocation.ts';
import type { ItemScreenModel } from './ItemListModel.ts';

interface Deps extends Pick<ItemScreenModel, 'send' | 'setSelecting' | 'setAlert' | 'ask'> {
  cache: QueryClient;
  /** Hears that items were moved. */
  onMoved?: () => void;
}

const withLinks = (text: string, links: number): string =>
  links > 0 ? `${text} ${alsoShared(links)}` : text;

function aboutOne(folder: boolean, days: number): string {
  if (days > 0) return folder ? trash.folderStays(days) : trash.staysOne(days);
  return folder ? t.deleteFolderAbout : t.noUndo;
}

/** What people do to items. Each says by itself how it went. */
export function createActions({ cache, send, setSelecting, setAlert, ask, onMoved }: Deps) {
  const told = (title: string, items: readonly ItemView[], { failed }: BulkResult): void => {
    const nameOf = new Map(items.map((item) => [item.id, item.name]));
    const failures = failed.map(({ id, name, message }) => ({
      name: name ?? nameOf.get(id) ?? t.item,
      message,
    }));
    ask({ dialog: 'failures', title, failures });
  };

  async function removeOne(item: ItemView): Promise<boolean> {
    const folder = item.type === 'folder';
    const days = trashDays();
    const [links, staying] = await Promise.all([
      sharedAmong([item]),
      soon(documentCalls.previewRemoval([item])),
    ]);
    const question = {
      title: t.deleteOneQuestion(truncateMiddle(item.name)),
      body: withLinks(aboutOne(folder, days), links),
      action: t.deleteOne(truncateMiddle(item.name)),
      danger: true,
    };
    const yes = await confirm(askedWith(question, 1, staying));
    if (!yes) return false;
    let gone = true;
    try {
      const [failed] = (await documentCalls.remove([item])).failed;
      if (failed) setAlert(failed.message);
      else {
        removeFromListings(cache, [item.id]);
        if (days > 0)
          toastWithUndo(trash.movedOne(truncateMiddle(item.name)), () => void undelete(cache, [item.id]));
        else toast.success(t.deletedOne(truncateMiddle(item.name)));
      }
      gone = !failed || failed.name === null;
    } catch (error) {
      gone = false;
      setAlert(messageOf(error, t.deleteFailed));
    }
    await refresh(cache);
    return gone;
  }

  async function removeMany(items: readonly ItemView[]): Promise<boolean> {
    const days = trashDays();
    const [links, staying] = await Promise.all([
      sharedAmong(items),
      soon(documentCalls.previewRemoval(items)),
    ]);
    const question = {
      title: t.deleteQuestion(items.length),
      body: withLinks(days > 0 ? trash.deleteAbout(items.length, days) : t.deleteAbout(items.length), links),
      action: t.deleteItems(items.length),
      danger: true,
    };
    const yes = await confirm(askedWith(question, items.length, staying, t.deleteItems));
    if (!yes) return false;
    let gone = false;
    try {
      const result = await documentCalls.remove(items);
      removeFromListings(cache, result.done);
      gone = result.failed.length === 0;
      send({ type: 'clear' });
      setSelecting(false);
      const count = result.done.length;
      if (count > 0 && days > 0) toastWithUndo(trash.moved(count), () => void undelete(cache, result.done));
      else if (count > 0) toast.success(t.deleted(count));
      if (result.failed.length > 0) told(t.someNotDeleted(result.failed.length), items, result);
    } catch (error) {
      setAlert(messageOf(error, t.deleteItemsFailed));
    }
    await refresh(cache);
    return gone;
  }

  /** Several items, and a folder, come as one ZIP; the server names it. */
  async function saveAll(items: readonly ItemView[]): Promise<void> {
    const [only, ...others] = items;
    if (!only) return;
    const ids = items.map(({ id }) => id);
    downloadFrom(
      others.length > 0 ? await documentCalls.zipUrl(ids) : await documentCalls.downloadUrl(only.id),
    );
  }

  /** Moves, lists what could not be, and selects what came into the folder that is open. */
  async function carry(
    items: readonly ItemView[],
    parentId: number | null,
    how?: { back: boolean },
  ): Promise<MoveResult> {
    const result = await moveAsking(items, parentId, how);
    removeFromListings(cache, result.done);
    if (result.failed.length > 0) told(t.notMoved(result.failed.length), items, result);
    await refresh(cache);
    const shown = parseDriveUrl(new URL(location.href));
    if (shown && !shown.search && shown.folderId === parentId && result.done.length > 0)
      send({ type: 'restore', focus: result.done[0] ?? null, selected: result.done });
    return result;
  }

  /** Each to the folder it was in, and with the client it had. */
  async function moveBack(items: readonly ItemView[], former: MoveResult['former']): Promise<void> {
    try {
      for (const [home, group] of Map.groupBy(items, ({ parent_id }) => parent_id))
        await carry(group, home, { back: true });
      if (former.length === 0) return;
      await documentCalls.restoreClients(former);
      await refresh(cache);
    } catch (error) {
      toast.error(messageOf(error, t.moveFailed));
    }
  }

  async function unlink(former: MoveResult['former']): Promise<void> {
    try {
      await documentCalls.restoreClients(former);
    } catch (error) {
      toast.error(messageOf(error, t.changeClientFailed));
    }
    await refresh(cache);
  }

  return {
    /** @returns whether all of them are gone. */
    remove: (items: readonly ItemView[]): Promise<boolean> =>
      items.length === 1 && items[0] ? removeOne(items[0]) : removeMany(items),

    async download(items: readonly ItemView[]): Promise<void> {
      try {
        await saveAll(items);
        for (const { id } of items) markViewed(id);
      } catch (error) {
        setAlert(messageOf(error, t.downloadFailed));
      }
    },

    /** What these documents say, and those in these folders, as a table. */
    async saveValues(items: readonly ItemView[]): Promise<void> {
      try {
        await exportFields({ ids: items.map(({ id }) => id), form: 'xlsx' });
      } catch (error) {
        setAlert(messageOf(error, t.valuesFailed));
      }
    },

    async extract(item: ItemView): Promise<void> {
      // What a look cannot read, the extraction will say.
      const locked = isLocked(item.id).catch(() => false);
      const yes = await confirm({
        title: t.extractQuestion(truncateMiddle(item.name)),
        body: t.extractAbout,
        action: t.extractZip,
      });
      if (!yes) return;
      if (await locked) return ask({ dialog: 'extract', item });
      try {
        await extractions.start(item.id);
      } catch (error) {
        setAlert(messageOf(error, START_FAILED));
      }
    },

    /** Links them to a client, or to none. @returns whether all are. @throws {ApiError}. */
    async file(items: readonly ItemView[], client: ClientRef | null, contents: Contents): Promise<boolean> {
      const change = { client_id: client?.id ?? null, contents };
      if (!(await askBeforeLosing(items, change, linkAnyway))) return false;
      const ids = items.map(({ id }) => id);
      const { done, failed, former, inside, later } = await documentCalls.setClient(
        ids,
        client?.id ?? null,
        contents,
        items,
      );
      await refresh(cache);
      if (done.length > 0) {
        const one = items.length === 1 ? truncateMiddle(items[0]!.name) : null;
        const to = client && truncateMiddle(client.name);
        const linked =
          to === null
            ? one === null
              ? t.unlinkedItems(done.length)
              : t.unlinkedOne(one)
            : one === null
              ? t.linkedItems(done.length, to)
              : t.linkedOne(one, to);
        const title = inside > 0 ? t.withInside(linked, inside) : linked;
        if (former.length > 0 && !later) toastWithUndo(title, () => void unlink(former));
        else if (later)
          toast.success(title, {
            description: t.later,
          });
        else toast.success(title);
      }
      if (failed.length > 0) told(t.notChanged(failed.length), items, { done, failed });
      return failed.length === 0;
    },

    /** @returns whether all of them were moved. */
    async move(items: readonly ItemView[], to: { id: number | null; name: string }): Promise<boolean> {
      try {
        if (!(await askBeforeLosing(items, { parent_id: to.id }, moveAnyway))) return false;
        const { done, failed, former } = await carry(items, to.id);
        onMoved?.();
        const moved = items.filter(({ id, parent_id }) => done.includes(id) && parent_id !== to.id);
        const [first] = moved;
        if (first) {
          const folder = truncateMiddle(to.name);
          const title =
            moved.length === 1
              ? t.movedOne(truncateMiddle(first.name), folder)
              : t.movedItems(moved.length, folder);
          toastWithUndo(title, () => void moveBack(moved, former));
          const links = await sharedAmong(moved);
          if (links > 0) toast.info(movedShared(links));
        }
        return failed.length === 0;
      } catch (error) {
        setAlert(messageOf(error, t.moveFailed));
        return false;
      }
    },
  };
}

export type Actions = ReturnType<typeof createActions>;
