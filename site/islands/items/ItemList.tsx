import type { KeyboardEvent, MouseEvent, RefObject } from 'react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { cx } from '../../lib/cx.ts';
import { ColumnHeader } from './ColumnHeader.tsx';
import { useItemList } from './ItemListModel.ts';
import type { OpenedMenu } from './ItemMenu.tsx';
import { ItemMenu } from './ItemMenu.tsx';
import { noteUnseen, showsRing } from './focusRing.ts';
import { elementId, Row } from './Row.tsx';
import { Tile } from './Tile.tsx';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { useEntryEvents } from './useEntryEvents.ts';
import { useGridKeys } from './useGridKeys.ts';
import { isKeyboardInUse } from '../../lib/overlay.ts';
import { hasTouch } from '../../lib/touch.ts';
import { useVirtualRows } from '../../lib/useVirtualRows.ts';

export interface ItemListProps {
  scroller: RefObject<HTMLElement | null>;
  label: string;
  /** The folder row that is the current drop target. */
  dropTargetId?: number | null;
  dragged?: readonly ItemView[];
}

const NONE: readonly ItemView[] = [];

const MOVES = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);
/** Whether the focus is on the page itself, or on the target of a skip link. */
const isPageFocused = (element: Element | null): boolean =>
  element === null || element === document.body || element.id === 'content' || element.id === 'list';

/** The items as an ARIA grid, in rows or in tiles. */
export function ItemList({ scroller, label, dropTargetId = null, dragged = NONE }: ItemListProps) {
  const { rows, view, layout, selection, send, selecting, marked, faded, chosen } = useItemList();
  const { items, order, byId } = rows;
  const list = view === 'list';
  const body = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const header = useRef<HTMLDivElement>(null);
  /** Whether the focus ring was hidden when the current key was pressed. */
  const ringHidden = useRef(false);
  const [opened, setOpened] = useState<OpenedMenu | null>(null);
  const virtual = useVirtualRows(scroller, body, items.length);
  const headerHeight = () => header.current?.offsetHeight ?? 0;
  const keys = useGridKeys({ scroller, measure: virtual.measure, headerHeight });

  const Menu = layout.Menu ?? (layout.action ? null : ItemMenu);
  const openMenu = (item: ItemView, x: number, y: number) => {
    if (!Menu) return;
    const isForSelection = selection.selected.has(item.id) && chosen.length > 1;
    // On touch screens a selection is begun by a long press only: while there is one, a tap selects instead of opening.
    if (!isForSelection && !hasTouch()) send({ type: 'only', id: item.id });
    setOpened({ x, y, target: isForSelection ? chosen : [item] });
  };
  const closeMenu = () => {
    setOpened(null);
    grid.current?.focus({ preventScroll: true });
  };
  const events = useEntryEvents(openMenu);

  const revealMarked = useEffectEvent((id: number) => {
    const index = order.indexOf(id);
    // What the user is selecting stays in view.
    const isBeside = selection.selected.size > 0 && !selection.selected.has(id);
    if (index < 0 || isBeside) return;
    keys.reveal(index);
    grid.current?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (marked !== null) revealMarked(marked);
  }, [marked]);

  function onContextMenu(event: MouseEvent) {
    const entry = (event.target as Element).closest<HTMLElement>('[data-id]');
    const item = entry ? byId.get(Number(entry.dataset['id'])) : undefined;
    event.preventDefault();
    // A long press selects; on touch screens the menu opens from the three dots.
    if ((event.nativeEvent as PointerEvent).pointerType === 'touch') return;
    if (item) openMenu(item, event.clientX, event.clientY);
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) {
      // A field or a button inside the grid handles its own keys.
      if (event.target === event.currentTarget) keys.onKeyDown(event, ringHidden.current);
      return;
    }
    const item = selection.focus === null ? undefined : byId.get(selection.focus);
    if (!item) return;
    event.preventDefault();
    keys.reveal(order.indexOf(item.id));
    const box = document.getElementById(elementId(item.id))?.getBoundingClientRect();
    openMenu(item, (box?.left ?? 0) + 48, (box?.top ?? 0) + 32);
  }

  const moving = new Set(dragged.map((item) => item.id));
  const Entry = list ? Row : Tile;
  // Takes the focus when a screen opens, or when a dialog closes whose button is gone.
  const takeFocus = useEffectEvent(() => {
    // Touch needs no focus, and the ring would only distract.
    if (hasTouch()) return;
    if (!isPageFocused(document.activeElement) || !items.length) return;
    // The ring stays hidden until a key is pressed.
    if (grid.current) grid.current.dataset.quiet = '';
    grid.current?.focus({ preventScroll: true });
  });
  useEffect(() => takeFocus(), []);
  // Another folder is shown in a list that has the focus already: its first row gets it, with the ring hidden as above.
  const first = rows.ready ? order[0] : undefined;
  const takeRow = useEffectEvent((id: number) => {
    if (!grid.current || document.activeElement !== grid.current) return;
    grid.current.dataset.quiet = '';
    send({ type: 'focus', id });
  });
  const isWithoutRow = selection.focus === null;
  useEffect(() => {
    if (isWithoutRow && first !== undefined) takeRow(first);
  }, [isWithoutRow, first]);
  useDocumentEvent('keydown', (event) => {
    const isForPage = isPageFocused(event.target as Element) && !isKeyboardInUse(event.target);
    if (!isForPage || event.defaultPrevented || !MOVES.has(event.key)) return;
    grid.current?.focus({ preventScroll: true });
    keys.onKeyDown(event);
  });

  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable="true"
      aria-rowcount={items.length + (list ? 1 : 0)}
      aria-activedescendant={selection.focus === null ? undefined : elementId(selection.focus)}
      data-selecting={selecting || selection.selected.size > 0}
      className="item-grid"
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
      onKeyDownCapture={({ key, nativeEvent }) => {
        ringHidden.current = grid.current?.dataset.quiet !== undefined;
        if (ringHidden.current) noteUnseen(nativeEvent);
        if (showsRing(key)) delete grid.current?.dataset.quiet;
      }}
      onBlur={() => delete grid.current?.dataset.quiet}
      onFocus={(event) => {
        const [top] = order;
        if (event.target === grid.current && selection.focus === null && top !== undefined)
          send({ type: 'focus', id: top });
      }}
      {...events}
    >
      {list && <ColumnHeader ref={header} />}
      <div
        ref={body}
        role="rowgroup"
        style={virtual.padding}
        className={cx(list ? 'item-rows' : 'item-tiles mt-3')}
      >
        {items.slice(virtual.start, virtual.end).map((item, offset) => (
          <Entry
            key={item.id}
            item={item}
            index={virtual.start + offset}
            layout={layout}
            selected={selection.selected.has(item.id)}
            focused={selection.focus === item.id}
            marked={marked === item.id}
            faded={faded.has(item.id) || moving.has(item.id)}
            isDropTarget={dropTargetId === item.id}
          />
        ))}
      </div>
      {Menu && <Menu opened={opened} onClose={closeMenu} />}
    </div>
  );
}
