import { isOverlayOpen } from '../../lib/overlay.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';

const NAMES = 'main [data-id] [role="rowheader"] :is(input, .client-row:not(:has(input)) a)';

/**
 * Keyboard shortcuts: Alt+N creates a client, ↓ and ↑ move between the search field and the list.
 * @param selecting while clients are selected: Ctrl+A selects all, Esc leaves the selection.
 */
export function useClientShortcuts(
  create: () => void,
  selecting: { all: () => void; leave: () => void } | null,
): void {
  useDocumentEvent('keydown', (event) => {
    const { key, target } = event;
    if (event.defaultPrevented || isOverlayOpen()) return;
    const isSelecting = selecting && !(target as Element).closest?.('input:not([type="checkbox"])');
    if (event.ctrlKey || event.metaKey) {
      if (!isSelecting || key.toLowerCase() !== 'a' || event.shiftKey || event.altKey) return;
      event.preventDefault();
      // A held key would load all clients again and again.
      if (!event.repeat) selecting.all();
      return;
    }
    if (key === 'Escape' && isSelecting) return selecting.leave();
    if (
      event.altKey ? key.toLowerCase() === 'n' : key.startsWith('Arrow') && moveFocus(key, target as Element)
    ) {
      event.preventDefault();
      if (event.altKey) create();
    }
  });
}

/** Moves the focus. @returns whether there was an element to focus. */
function moveFocus(key: string, from: Element): boolean {
  const search = document.querySelector<HTMLElement>('main input[type="search"]');
  const names = [...document.querySelectorAll<HTMLElement>(NAMES)];
  const index = from === search ? -1 : names.indexOf(from as HTMLElement);
  if ((index < 0 && from !== search) || (key !== 'ArrowDown' && key !== 'ArrowUp')) return false;
  const next = key === 'ArrowDown' ? names[index + 1] : index === 0 ? search : names[index - 1];
  next?.focus();
  return next !== undefined;
}
