import type { ItemView } from '#server/documents/contract.ts';
import { may } from '../../lib/permissions.ts';
import { isKeyboardInUse } from '../../lib/overlay.ts';
import { undoLast } from '../../lib/undo.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import type { ItemScreenModel } from './ItemListModel.ts';
import { useItemScreen } from './ItemListModel.ts';

/** @returns whether the combination, such as `Ctrl+x`, meant something for these items: the selected, else the focused. */
export type Act = (combination: string, meant: readonly ItemView[]) => boolean;

/** The keys that work wherever on the screen the focus is. `own` are the screen's, which come first. */
export function useShortcuts(own: Act = () => false): void {
  const model = useItemScreen();
  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || isKeyboardInUse(event.target)) return;
    const { selection, rows, chosen } = model;
    const focused = selection.focus === null ? undefined : rows.byId.get(selection.focus);
    const meant = chosen.length > 0 ? chosen : focused ? [focused] : [];
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const control = event.ctrlKey || event.metaKey;
    const combination = `${control ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${key}`;
    if (own(combination, meant) || act(combination, meant, model)) event.preventDefault();
  });
}

function act(combination: string, meant: readonly ItemView[], model: ItemScreenModel): boolean {
  const { ask, send, actions } = model;
  const [one] = meant;
  switch (combination) {
    case 'Alt+n':
      if (!may('documents.write')) return true;
      ask({ dialog: 'folder' });
      return true;
    case 'Ctrl+u':
      // Also then it is not the browser's: it would show the page's source.
      if (!may('documents.write')) return true;
      ask({ dialog: 'upload' });
      return true;
    case '?':
      ask({ dialog: 'shortcuts' });
      return true;
    case 'F2':
      if (!one || meant.length > 1 || !may('documents.write')) return false;
      ask({ dialog: one.seal ? 'seal' : 'rename', item: one });
      return true;
    case 'Delete':
      if (!one || !may('documents.delete')) return false;
      // It says who sealed it, and why it stays.
      if (meant.length === 1 && one.seal) ask({ dialog: 'seal', item: one });
      else void actions.remove(meant);
      return true;
    case 'Ctrl+a':
      // Also while a button of the screen has the focus: the page's text is never meant.
      send({ type: 'all', order: model.rows.order });
      document.querySelector<HTMLElement>('.item-grid')?.focus({ preventScroll: true });
      return true;
    case 'Ctrl+z':
      return undoLast();
    case 'Escape':
      if (model.selection.selected.size > 0) send({ type: 'clear' });
      else if (model.selecting) model.setSelecting(false);
      else return false;
      return true;
    default:
      return false;
  }
}
