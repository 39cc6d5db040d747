import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import { may } from '../../lib/permissions.ts';
import { isKeyboardInUse } from '../../lib/overlay.ts';
import { toast } from '../../lib/toast.ts';
import { trashDays } from '../../lib/trash.ts';
import { undoLast } from '../../lib/undo.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { sawFocus } from './focusRing.ts';
import type { ItemScreenModel } from './ItemListModel.ts';
import { useItemScreen } from './ItemListModel.ts';

/**
 * Handles a combination such as `Ctrl+x` for the selected items, or else for the focused one if the user sees which it is.
 * @returns whether it did.
 */
type ShortcutHandler = (combination: string, targets: readonly ItemView[]) => boolean;

/** Shortcuts that work wherever the focus is. `own` are the screen's, which take precedence. */
export function useItemShortcuts(own: ShortcutHandler = () => false): void {
  const model = useItemScreen();
  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || isKeyboardInUse(event.target)) return;
    const { selection, rows, chosen } = model;
    const focused = selection.focus !== null && sawFocus(event) ? rows.byId.get(selection.focus) : undefined;
    const targets = chosen.length > 0 ? chosen : focused ? [focused] : [];
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const control = event.ctrlKey || event.metaKey;
    const combination = `${control ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${key}`;
    if (own(combination, targets) || handle(combination, targets, model, event.repeat))
      event.preventDefault();
  });
}

function tellNothingToUndo(): void {
  const inTrash = may('documents.delete') && trashDays() > 0;
  toast.info(t.nothingToUndo, {
    description: inTrash ? `${t.undoWhileShown} ${t.deletedInTrash}` : t.undoWhileShown,
  });
}

function handle(
  combination: string,
  targets: readonly ItemView[],
  model: ItemScreenModel,
  isRepeated: boolean,
): boolean {
  const { openDialog, send, actions } = model;
  const [one] = targets;
  switch (combination) {
    case 'Alt+n':
      if (!may('documents.write')) return true;
      openDialog({ dialog: 'folder' });
      return true;
    case 'Ctrl+u':
      // Prevents the browser's own Ctrl+U, which shows the page's source.
      if (!may('documents.write')) return true;
      openDialog({ dialog: 'upload' });
      return true;
    case 'F2':
      if (!one || !may('documents.write')) return false;
      if (targets.length === 1 && one.seal) openDialog({ dialog: 'seal', item: one });
      else openDialog({ dialog: 'rename', items: targets });
      return true;
    case 'Delete':
      if (!one || !may('documents.delete')) return false;
      // The seal dialog says who sealed the item, and why it cannot be deleted.
      if (targets.length === 1 && one.seal) openDialog({ dialog: 'seal', item: one });
      else void actions.remove(targets);
      return true;
    case 'Ctrl+a':
      // Also while a button has the focus: selecting the page's text is never wanted.
      send({ type: 'all', order: model.rows.order });
      document.querySelector<HTMLElement>('.item-grid')?.focus({ preventScroll: true });
      return true;
    case 'Ctrl+z':
      if (!undoLast() && !isRepeated) tellNothingToUndo();
      return true;
    case 'Escape':
      if (model.selection.selected.size > 0) send({ type: 'clear' });
      else if (model.selecting) model.setSelecting(false);
      else return false;
      return true;
    default:
      return false;
  }
}
