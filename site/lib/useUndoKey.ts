import { isInField } from './overlay.ts';
import { isUndo } from './undoKey.ts';
import { useDocumentEvent } from './useDocumentEvent.ts';

/**
 * Calls `undo` on Ctrl+Z outside of fields, which have an undo of their own; once for a key that is held.
 * @param isCovered whether something lies over what the key is for.
 */
export function useUndoKey(undo: () => void, isCovered: () => boolean): void {
  useDocumentEvent('keydown', (event) => {
    const isOwn = event.target instanceof Element && isInField(event.target);
    if (event.defaultPrevented || isOwn || isCovered() || !isUndo(event)) return;
    event.preventDefault();
    if (!event.repeat) undo();
  });
}
