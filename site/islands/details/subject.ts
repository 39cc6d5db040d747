import { useMemo, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { useDebounced } from '../../lib/useDebounced.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { isRingShown, showsRing } from '../items/focusRing.ts';
import { useItemList } from '../items/ItemListModel.ts';

/** What the details are about. */
export type Subject =
  | { kind: 'item'; id: number; /** As the list shows it. */ item?: ItemView }
  | { kind: 'several'; items: readonly ItemView[] }
  /** All of 'My Drive'. */
  | { kind: 'drive' }
  /** Nothing is chosen on a screen that is no folder. */
  | { kind: 'none' };

/** Milliseconds that a row keeps the focus before it is asked for: arrow keys run through a list faster. */
const SETTLED_MS = 140;

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
 * The selected items, else the row that the keys have gone to, else what the screen shows: `folder`, null at the top,
 * undefined where it is none. A list takes the focus by itself when it opens: that alone chooses no row.
 */
export function useSubject(folder: number | null | undefined): Subject {
  const { chosen, selection, rows } = useItemList();
  // The keys may have gone to a row before the details were opened.
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
  // Tab leads into a list, and a dialog that is closed back to it.
  useDocumentEvent('focusin', follow);
  const byKeys = walked !== null && walked.folder === folder;
  const focused = byKeys && selection.focus !== null ? rows.byId.get(selection.focus) : undefined;
  const [one] = chosen;
  const meant = useMemo((): Subject => {
    if (chosen.length > 1) return { kind: 'several', items: chosen };
    const item = one ?? focused;
    if (item) return { kind: 'item', id: item.id, item };
    if (folder === undefined) return { kind: 'none' };
    return folder === null ? { kind: 'drive' } : { kind: 'item', id: folder };
  }, [chosen, one, focused, folder]);
  return useDebounced(meant, SETTLED_MS, sameItem);
}

/** A row that was loaded again, or the folder itself: nothing to wait for. */
const sameItem = (a: Subject, b: Subject): boolean =>
  a.kind === 'item' && (b.kind !== 'item' || a.id === b.id || a.item === undefined);
