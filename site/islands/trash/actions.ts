import type { QueryClient } from '@tanstack/react-query';
import type { BulkResult } from '#server/documents/contract.ts';
import type { RestoreResult, TrashView } from '#server/documents/trash/contract.ts';
import { keptByHold } from '#messages/holds.ts';
import * as t from '#messages/trash.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { confirm } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { namedFailures } from '../../lib/namedFailures.ts';
import { openPage } from '../../lib/navigation.ts';
import { highlightHref } from '../../lib/search.ts';
import { toast } from '../../lib/toast.ts';
import { formerPath, trashCalls } from '../../lib/trash.ts';
import { withStaying, withTimeout } from '../items/staying.ts';
import { emptyQuestion } from './emptyQuestion.ts';
import { restoreResolvingConflicts } from './restoreResolvingConflicts.ts';

export interface Failures {
  title: string;
  failures: readonly { name: string; message: string }[];
}

interface Deps {
  cache: QueryClient;
  /** See `useRest`. */
  withRest: (items: readonly TrashView[]) => Promise<readonly TrashView[]>;
  setAlert: (message: string | null) => void;
  showFailures: (failures: Failures) => void;
  clearSelection: () => void;
}

/** The actions on items in Trash. Each reports its own success and failure. */
export function createTrashActions({ cache, withRest, setAlert, showFailures, clearSelection }: Deps) {
  const reportFailures = (title: string, items: readonly TrashView[], result: BulkResult): void =>
    showFailures({ title, failures: namedFailures(items, result) });

  function reportRestored(items: readonly TrashView[], { restored, remade }: RestoreResult): void {
    const [first] = restored;
    if (!first) return;
    const nameOf = new Map(items.map((item) => [item.id, item.name]));
    const renamed = restored.filter(({ id, name }) => nameOf.has(id) && nameOf.get(id) !== name);
    const title =
      restored.length === 1
        ? t.restoredOne(truncateMiddle(nameOf.get(first.id) ?? first.name))
        : t.restoredItems(restored.length);
    const facts = [
      renamed.length > 0 &&
        (restored.length === 1 ? t.restoredAs(first.name) : t.renamedSome(renamed.length)),
      remade.length > 0 && t.foldersRemade(remade.length, truncateMiddle(remade[0]!)),
    ].filter(Boolean);
    toast.success(title, {
      ...(facts.length > 0 && { description: facts.join(' ') }),
      action: { label: t.show, onClick: () => openPage(highlightHref(first)) },
    });
  }

  return {
    /** `tell` shows why it failed. @returns whether all items were restored. */
    async restore(
      chosen: readonly TrashView[],
      to?: { id: number | null },
      tell = setAlert,
    ): Promise<boolean> {
      if (chosen.length === 0) return false;
      setAlert(null);
      try {
        // The dialog that asks for a folder has said how many.
        const items = to ? chosen : await withRest(chosen);
        const result = await restoreResolvingConflicts(items, to);
        if (!result) return false;
        if (result.failed.length > 0) reportFailures(t.notRestored(result.failed.length), items, result);
        clearSelection();
        reportRestored(items, result);
        await refresh(cache);
        return result.failed.length === 0;
      } catch (error) {
        tell(messageOf(error, t.restoreFailed));
        await refresh(cache);
        return false;
      }
    },

    /** Restores an item after a confirmation. Used for opening an item, since items in Trash cannot be opened. */
    async askAndRestore(item: TrashView): Promise<void> {
      const yes = await confirm({
        title: t.restoreOneQuestion(truncateMiddle(item.name)),
        body:
          item.type === 'folder'
            ? t.restoreFolderAbout(formerPath(item))
            : t.restoreOneAbout(formerPath(item)),
        action: t.restore,
      });
      if (yes) await this.restore([item]);
    },

    async deleteForever(chosen: readonly TrashView[]): Promise<void> {
      const items = await withRest(chosen);
      const [first] = items;
      if (!first) return;
      const isSingle = items.length === 1;
      const question = {
        title: isSingle ? t.foreverOneQuestion(truncateMiddle(first.name)) : t.foreverQuestion(items.length),
        body: isSingle ? t.noUndo : t.foreverAbout(items.length),
        action: t.deleteForever,
        danger: true,
      };
      const staying = await withTimeout(trashCalls.preview(items.map(({ id }) => id)));
      if (!(await confirm(withStaying(question, items.length, staying)))) return;
      try {
        const result = await trashCalls.deleteForever(items.map(({ id }) => id));
        clearSelection();
        if (result.done.length > 0) toast.success(t.deletedForever(result.done.length));
        if (result.failed.length > 0) reportFailures(t.notDeleted(result.failed.length), items, result);
      } catch (error) {
        setAlert(messageOf(error, t.deleteFailed));
      }
      await refresh(cache);
    },

    async empty(total: number, bytes: number): Promise<void> {
      const staying = await withTimeout(trashCalls.preview());
      if (!(await confirm(emptyQuestion({ items: total, bytes }, staying)))) return;
      try {
        const { deleted, kept } = await trashCalls.empty();
        clearSelection();
        const why = kept > 0 ? { description: keptByHold(kept) } : {};
        if (deleted > 0 || kept === 0) toast.success(t.deletedForever(deleted), why);
        else setAlert(keptByHold(kept));
      } catch (error) {
        setAlert(messageOf(error, t.emptyFailed));
      }
      await refresh(cache);
    },
  };
}
export type TrashActions = ReturnType<typeof createTrashActions>;
