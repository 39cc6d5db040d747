import type { QueryClient } from '@tanstack/react-query';
import type { BulkResult, Contents, ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import { messageOf } from '../../lib/apiError.ts';
import { markViewed } from '../../lib/viewedFiles.ts';
import { confirm } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { exportFields } from '../../lib/fields.ts';
import { downloadFrom } from '../../lib/download.ts';
import { importWithRetry } from '../../lib/lazyWithRetry.ts';
import { START_FAILED, extractions, isLocked } from '../archive/extractions.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { namedFailures } from '../../lib/namedFailures.ts';
import type { ClientRef } from '../../lib/driveLocation.ts';
import type { ItemScreenModel } from './ItemListModel.ts';

interface Deps extends Pick<ItemScreenModel, 'send' | 'setSelecting' | 'setAlert' | 'openDialog'> {
  cache: QueryClient;
  /** See `useRest`. */
  withRest: (items: readonly ItemView[]) => Promise<readonly ItemView[]>;
  /** Called after a move, with the items about whose names a question was cancelled. */
  onMoved?: (undecided: readonly ItemView[]) => void;
}

export const loadRemoval = () => importWithRetry(() => import('./removeAndReport.ts'));

/** The actions on items. Each reports its own success and failure. */
export function createActions({ cache, send, setSelecting, withRest, setAlert, openDialog, onMoved }: Deps) {
  const clearSelection = (): void => {
    send({ type: 'clear' });
    setSelecting(false);
  };
  const showFailures = (title: string, items: readonly ItemView[], result: BulkResult): void =>
    openDialog({ dialog: 'failures', title, failures: namedFailures(items, result) });

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
    async remove(chosen: readonly ItemView[]): Promise<boolean> {
      setAlert(null);
      try {
        const items = await withRest(chosen);
        const { removeAndReport } = await loadRemoval();
        return await removeAndReport({ cache, clearSelection, setAlert, showFailures }, items);
      } catch (error) {
        setAlert(messageOf(error, t.deleteItemsFailed));
        return false;
      }
    },

    async download(chosen: readonly ItemView[]): Promise<void> {
      try {
        const items = await withRest(chosen);
        await downloadAll(items);
        for (const { id } of items) markViewed(id);
      } catch (error) {
        setAlert(messageOf(error, t.downloadFailed));
      }
    },

    /** Downloads the field values of the documents, and of those in the folders, as a table. */
    async saveValues(chosen: readonly ItemView[]): Promise<void> {
      try {
        const items = await withRest(chosen);
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
