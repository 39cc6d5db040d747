import { undoLast } from '../../lib/undo.ts';
import { useDriveContext } from '../drive/DriveContext.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';

export interface Shortcut {
  keys: string;
  does: string;
}

/** What the sheet lists, by what one is doing. */
export const SHORTCUTS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: 'In the listing',
    shortcuts: [
      { keys: '↑ ↓', does: 'Move the focus' },
      { keys: 'Letters', does: 'Jump to a name' },
      { keys: 'Space', does: 'Select or unselect' },
      { keys: 'Shift + ↑ ↓', does: 'Select a range' },
      { keys: 'Ctrl + A', does: 'Select all' },
      { keys: 'Esc', does: 'Clear the selection' },
      { keys: 'Shift + F10', does: 'Open the menu of an item' },
    ],
  },
  {
    title: 'Going around',
    shortcuts: [
      { keys: 'Enter', does: 'Open' },
      { keys: 'Alt + ↑ or Backspace', does: 'Go to the folder above' },
      { keys: '/ or Ctrl + K', does: 'Search' },
      { keys: '?', does: 'Show these shortcuts' },
    ],
  },
  {
    title: 'Doing',
    shortcuts: [
      { keys: 'Alt + N', does: 'New folder' },
      { keys: 'Ctrl + U', does: 'Upload files' },
      { keys: 'F2', does: 'Rename' },
      { keys: 'Delete', does: 'Delete' },
      { keys: 'Ctrl + X', does: 'Cut, to move' },
      { keys: 'Ctrl + V', does: 'Move here what was cut' },
      { keys: 'Ctrl + Z', does: 'Undo, as long as it is offered' },
    ],
  },
];

const BUSY =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Somebody is writing, answering, or copying text: the keys are theirs. */
export function isBusy(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest(BUSY)) return true;
  if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true;
  return (getSelection()?.toString() ?? '') !== '';
}

/** The keys that work wherever in the drive the focus is. */
export function useShortcuts(): void {
  const drive = useDriveContext();
  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || isBusy(event.target)) return;
    if (act(event, drive)) event.preventDefault();
  });
}

/** @returns whether the key meant something. */
function act(event: KeyboardEvent, drive: ReturnType<typeof useDriveContext>): boolean {
  const { selection, listing, chosen, actions, send } = drive;
  const control = event.ctrlKey || event.metaKey;
  const focused = selection.focus === null ? undefined : listing.byId.get(selection.focus);
  // What is selected, otherwise what has the focus.
  const meant = chosen.length > 0 ? chosen : focused ? [focused] : [];
  const [one] = meant;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const combination = `${control ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${key}`;

  switch (combination) {
    case 'Alt+ArrowUp':
    case 'Backspace':
      actions.up();
      return true;
    case 'Alt+n':
      drive.ask({ dialog: 'folder' });
      return true;
    case 'Ctrl+u':
      drive.ask({ dialog: 'upload' });
      return true;
    case '?':
      drive.ask({ dialog: 'shortcuts' });
      return true;
    case 'F2':
      if (!one || meant.length > 1) return false;
      drive.ask({ dialog: 'rename', item: one });
      return true;
    case 'Delete':
      if (!one) return false;
      void actions.remove(meant);
      return true;
    case 'Ctrl+x':
      if (!one) return false;
      drive.setCut(new Map(meant.map((item) => [item.id, item])));
      return true;
    case 'Ctrl+v':
      if (drive.cut.size === 0) return false;
      void actions.move([...drive.cut.values()], {
        id: drive.place.folderId,
        name: listing.breadcrumbs.at(-1)?.name ?? 'My Drive',
      });
      return true;
    case 'Ctrl+a':
      // Also while a button of the screen has the focus: the page's text is never meant.
      send({ type: 'all', order: listing.order });
      document.querySelector<HTMLElement>('.drive-grid')?.focus({ preventScroll: true });
      return true;
    case 'Ctrl+z':
      return undoLast();
    case 'Escape':
      if (drive.cut.size > 0) drive.setCut(new Map());
      else if (selection.selected.size > 0) send({ type: 'clear' });
      else if (drive.selecting) drive.setSelecting(false);
      else return false;
      return true;
    default:
      return false;
  }
}
