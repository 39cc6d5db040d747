import type { Key, ReactNode } from 'react';
import { useRef } from 'react';
import { Menu as AriaMenu, Popover } from 'react-aria-components/Menu';
import { menuPopover } from './Menu.tsx';

export interface OpenedAt<T> {
  /** Pixels from the window's corner. */
  x: number;
  y: number;
  /** What the menu is about. */
  target: T;
}

export interface ContextMenuProps<T> {
  opened: OpenedAt<T> | null;
  onClose: () => void;
  /** The menu's name for readers, e.g. "Actions for Form 16.pdf". */
  label: (target: T) => string;
  onAction?: (key: Key, target: T) => void;
  /** MenuItem, MenuSection and MenuSeparator. */
  children: (target: T) => ReactNode;
}

/** A menu at a point of the screen. Focus goes back to where it was. */
export function ContextMenu<T>({ opened, onClose, label, onAction, children }: ContextMenuProps<T>) {
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      {opened && (
        <span
          ref={anchor}
          aria-hidden="true"
          className="pointer-events-none fixed size-0"
          style={{ left: opened.x, top: opened.y }}
        />
      )}
      {opened && (
        <Popover
          // A second right click elsewhere is another menu at another place.
          key={`${opened.x},${opened.y}`}
          isOpen
          onOpenChange={(open) => !open && onClose()}
          triggerRef={anchor}
          placement="bottom start"
          offset={2}
          className={menuPopover}
        >
          <AriaMenu
            aria-label={label(opened.target)}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the keyboard must land in the menu it opened
            autoFocus="first"
            onClose={onClose}
            onAction={(key) => onAction?.(key, opened.target)}
            className="outline-none"
          >
            {children(opened.target)}
          </AriaMenu>
        </Popover>
      )}
    </>
  );
}
