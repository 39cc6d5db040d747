import type { Key, ReactNode } from 'react';
import { useRef } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Menu as AriaMenu, Popover } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
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

/** Under a thumb a menu is a sheet at the lower edge: at a point it would not have the room. */
export const isSheet = (): boolean => matchMedia('(pointer: coarse) and (max-width: 639px)').matches;

/** A menu at a point of the screen, on phones a sheet. Focus goes back to where it was. */
export function ContextMenu<T>({ opened, onClose, label, onAction, children }: ContextMenuProps<T>) {
  const anchor = useRef<HTMLSpanElement>(null);
  const menu = opened && (
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
  );
  if (opened && isSheet()) {
    return (
      <ModalOverlay
        isOpen
        isDismissable
        onOpenChange={(open) => !open && onClose()}
        className="fixed inset-0 z-50 flex items-end bg-scrim data-[entering]:animate-appear"
      >
        <Modal className="flex max-h-[80dvh] w-full flex-col rounded-t-lg bg-raised shadow-dialog data-[entering]:animate-rise">
          <AriaDialog className="flex min-h-0 flex-1 flex-col outline-none">
            <Heading slot="title" className="truncate px-4 pt-3 pb-2 text-sm font-medium text-muted">
              {label(opened.target)}
            </Heading>
            <div className="min-h-0 overflow-auto px-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
              {menu}
            </div>
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    );
  }
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
          // Beside the point, so that it moves up rather than hide its last lines where there is little room below.
          placement="right top"
          offset={2}
          className={menuPopover}
        >
          {menu}
        </Popover>
      )}
    </>
  );
}
