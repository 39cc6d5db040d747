import type { QueryClient } from '@tanstack/react-query';
import type { BulkResult, Contents, ItemView } from '#server/documents/contract.ts';
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
import { namedFailures } from '../../lib/namedFailures.ts';
import { countLinks } from '../sharing/countLinks.ts';
import { trashDays } from '../../lib/trash.ts';
import { deletionText, withStaying, withTimeout } from './staying.ts';
import { undelete } from './undelete.ts';
import type { ClientRef } from '../../lib/driveLocation.ts';
import type { ItemScreenModel } from './ItemListModel.ts';

interface Deps extends Pick<ItemScreenModel, 'send' | 'setSelecting' | 'setAlert' | 'openDialog'> {
  cache: QueryClient;
  /** Called after a move, with the items about whose names a question was cancelled. */
  onMoved?: (undecided: readonly ItemView[]) => void;
}

const withLinkNote = (text: string, links: number): string =>
  links > 0 ? `${text} ${t.alsoShared(links)}` : text;

/** The actions on items. Each reports its own success and failure. */
export function createActions({ cache, send, setSelecting, setAlert, openDialog, onMoved }: Deps) {
  const showFailures = (title: string, items: readonly ItemView[], result: BulkResult): void =>
    openDialog({ dialog: 'failures', title, failures: namedFailures(items, result) });

  async function removeOne(item: ItemView): Promise<boolean> {
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

  async function removeMany(items: readonly ItemView[]): Promise<boolean> {
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
      send({ type: 'clear' });
      setSelecting(false);
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

  /** Several items, or a folder, are downloaded as one ZIP, named by the server. */
  async function downloadAll(items: readonly ItemView[]): Promise<void> {
    const [only, ...others] = items;
    if (!only) return;
    const ids = items.map(({ id }) => id);
    downloadFrom(
      others.length > 0 ? await documentCalls.zipUrl(ids) : await documentCalls.downloadUrl(only.id),
    );
  }

  return {
    /** @returns whether all items were deleted. */
    remove(items: readonly ItemView[]): Promise<boolean> {
      setAlert(null);
      return items.length === 1 && items[0] ? removeOne(items[0]) : removeMany(items);
    },

    async download(items: readonly ItemView[]): Promise<void> {
      try {
        await downloadAll(items);
        for (const { id } of items) markViewed(id);
      } catch (error) {
        setAlert(messageOf(error, t.downloadFailed));
      }
    },

    /** Downloads the field values of the documents, and of those in the folders, as a table. */
    async saveValues(items: readonly ItemView[]): Promise<void> {
      try {
        await exportFields({ ids: items.map(({ id }) => id), form: 'xlsx' });
      } catch (error) {
        setAlert(messageOf(error, t.valuesFailed));
      }
    },

    async extract(item: ItemView): Promise<void> {
      // If the archive is unreadable, the extraction reports it.
      const locked = isLocked(item.id).catch(() => false);
      const yes = await confirm({
        title: t.extractQuestion(truncateMiddle(item.name)),
        body: t.extractAbout,
        action: t.extractZip,
      });
      if (!yes) return;
      if (await locked) return openDialog({ dialog: 'extract', item });
      try {
        await extractions.start(item.id);
      } catch (error) {
        setAlert(messageOf(error, START_FAILED));
      }
    },

    /** Links items to a client, or to none. @returns whether all were changed. @throws {ApiError}. */
    async file(items: readonly ItemView[], client: ClientRef | null, contents: Contents): Promise<boolean> {
      setAlert(null);
      const { linkAndReport } = await import('./linkAndReport.ts');
      return linkAndReport({ cache, showFailures }, items, client, contents);
    },

    /** `tell` shows why it failed. @returns whether all items were moved. */
    async move(
      items: readonly ItemView[],
      to: { id: number | null; name: string },
      tell = setAlert,
    ): Promise<boolean> {
      setAlert(null);
      try {
        const { moveAndReport } = await import('./moveAndReport.ts');
        return await moveAndReport({ cache, send, showFailures, onMoved }, items, to);
      } catch (error) {
        tell(messageOf(error, t.moveFailed));
        return false;
      }
    },
  };
}

export type Actions = ReturnType<typeof createActions>;
