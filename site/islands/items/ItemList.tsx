import type { KeyboardEvent, MouseEvent, RefObject } from 'react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { cx } from '../../lib/cx.ts';
import { ColumnHeader } from './ColumnHeader.tsx';
import { useItemList } from './ItemListModel.ts';
import type { OpenedMenu } from './ItemMenu.tsx';
import { ItemMenu } from './ItemMenu.tsx';
import { showsRing } from './focusRing.ts';
import { elementId, Row } from './Row.tsx';
import { Tile } from './Tile.tsx';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { useEntryEvents } from './useEntryEvents.ts';
import { useGridKeys } from './useGridKeys.ts';
import { isKeyboardInUse } from '../../lib/overlay.ts';
import { useVirtualRows } from '../../lib/useVirtualRows.ts';

export interface ItemListProps {
  scroller: RefObject<HTMLElement | null>;
  label: string;
  /** What is dragged would go into this folder. */
  aimedId?: number | null;
  dragged?: readonly ItemView[];
}

const NONE: readonly ItemView[] = [];

const MOVES = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);
/** The page itself has the keyboard, or the part of it that a skip link leads to. */
const isNobodys = (element: Element | null): boolean =>
  element === null || element === document.body || element.id === 'content' || element.id === 'list';

/** The items as a grid, in rows or in tiles. */
export function ItemList({ scroller, label, aimedId = null, dragged = NONE }: ItemListProps) {
  const { rows, view, layout, selection, send, selecting, marked, faded, chosen } = useItemList();
  const { items, order, byId } = rows;
  const list = view === 'list';
  const body = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const header = useRef<HTMLDivElement>(null);
  /** Nothing had shown on which row the keyboard was when this key was pressed. */
  const unseen = useRef(false);
  const [opened, setOpened] = useState<OpenedMenu | null>(null);
  const drawn = useVirtualRows(scroller, body, items.length);
  const headerHeight = () => header.current?.offsetHeight ?? 0;
  const keys = useGridKeys({ scroller, measure: drawn.measure, headerHeight });

  const openMenu = (item: ItemView, x: number, y: number) => {
    if (layout.action) return;
    const together = selection.selected.has(item.id) && chosen.length > 1;
    if (!together) send({ type: 'only', id: item.id });
    setOpened({ x, y, target: together ? chosen : [item] });
  };
  const events = useEntryEvents(openMenu);

  const revealMarked = useEffectEvent((id: number) => {
    const index = order.indexOf(id);
    if (index < 0) return;
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
    // A long press selects; its menu stands behind the three dots.
    if ((event.nativeEvent as PointerEvent).pointerType === 'touch') return;
    if (item) openMenu(item, event.clientX, event.clientY);
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) {
      // A field or a button inside has its own keys.
      if (event.target === event.currentTarget) keys.onKeyDown(event, unseen.current);
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
  // Nothing else has the keyboard when a screen opens, or when a dialog is closed whose button is gone.
  const takeFocus = useEffectEvent(() => {
    // A finger needs no keyboard, and the ring would only catch the eye.
    if (matchMedia('(pointer: coarse)').matches) return;
    if (!isNobodys(document.activeElement) || !items.length) return;
    // Until a key is pressed nobody looks for a ring.
    if (grid.current) grid.current.dataset.quiet = '';
    grid.current?.focus({ preventScroll: true });
  });
  useEffect(() => takeFocus(), []);
  useDocumentEvent('keydown', (event) => {
    const nobodys = isNobodys(event.target as Element) && !isKeyboardInUse(event.target);
    if (!nobodys || event.defaultPrevented || !MOVES.has(event.key)) return;
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
      onKeyDownCapture={({ key }) => {
        unseen.current = grid.current?.dataset.quiet !== undefined;
        if (showsRing(key)) delete grid.current?.dataset.quiet;
      }}
      onBlur={() => delete grid.current?.dataset.quiet}
      onFocus={(event) => {
        const [first] = order;
        if (event.target === grid.current && selection.focus === null && first !== undefined)
          send({ type: 'focus', id: first });
      }}
      {...events}
    >
      {list && <ColumnHeader ref={header} />}
      <div
        ref={body}
        role="rowgroup"
        style={drawn.padding}
        className={cx(list ? 'item-rows' : 'item-tiles mt-3')}
      >
        {items.slice(drawn.start, drawn.end).map((item, offset) => (
          <Entry
            key={item.id}
            item={item}
            index={drawn.start + offset}
            layout={layout}
            selected={selection.selected.has(item.id)}
            focused={selection.focus === item.id}
            marked={marked === item.id}
            faded={faded.has(item.id) || moving.has(item.id)}
            aimed={aimedId === item.id}
          />
        ))}
      </div>
      {!layout.action && (
        <ItemMenu
          opened={opened}
          onClose={() => {
            setOpened(null);
            grid.current?.focus({ preventScroll: true });
          }}
        />
      )}
    </div>
  );
}
