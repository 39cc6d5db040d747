import { useMemo, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { useDebounced } from '../../lib/useDebounced.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { isRingShown, showsRing } from '../items/focusRing.ts';
import { useItemList } from '../items/ItemListModel.ts';

/** The subject of the details. */
export type Subject =
  | { kind: 'item'; id: number; /** As the list shows it. */ item?: ItemView }
  | { kind: 'several'; items: readonly ItemView[] }
  /** All of 'My Drive'. */
  | { kind: 'drive' }
  /** Nothing is selected on a screen that is not a folder. */
  | { kind: 'none' };

/** Milliseconds that a row must keep the focus before its details are loaded, as arrow keys pass through rows faster. */
const DEBOUNCE_MS = 140;

const MOVES = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
]);

/**
 * The selected items, else the row focused by the keyboard, else the screen's `folder` (null at the root, undefined on a
 * screen that is not a folder). The focus that a list takes by itself when it opens does not count.
 */
export function useSubject(folder: number | null | undefined): Subject {
  const { chosen, selection, rows } = useItemList();
  // The keyboard may have focused a row before the details were opened.
  const [walked, setWalked] = useState(() => (isRingShown() ? { folder } : null));
  const follow = () => {
    if (isRingShown()) setWalked({ folder });
  };
  useDocumentEvent('keydown', ({ target, key }) => {
    const inGrid = target instanceof Element && target.closest('.item-grid, [data-followed]') !== null;
    if (MOVES.has(key) || (inGrid && showsRing(key))) setWalked({ folder });
    else if (key === 'Escape' && folder === undefined) follow();
    else if (key === 'Escape' && selection.selected.size === 0) setWalked(null);
  });
  // Tab leads into a list, and closing a dialog back to it.
  useDocumentEvent('focusin', follow);
  const byKeys = walked !== null && walked.folder === folder;
  const focused = byKeys && selection.focus !== null ? rows.byId.get(selection.focus) : undefined;
  const [one] = chosen;
  const subject = useMemo((): Subject => {
    if (chosen.length > 1) return { kind: 'several', items: chosen };
    const item = one ?? focused;
    if (item) return { kind: 'item', id: item.id, item };
    if (folder === undefined) return { kind: 'none' };
    return folder === null ? { kind: 'drive' } : { kind: 'item', id: folder };
  }, [chosen, one, focused, folder]);
  return useDebounced(subject, DEBOUNCE_MS, sameItem);
}

/** Not debounced: a reloaded row, or the folder itself. */
const sameItem = (a: Subject, b: Subject): boolean =>
  a.kind === 'item' && (b.kind !== 'item' || a.id === b.id || a.item === undefined);
