import type { Key, ReactNode } from 'react';
import { useRef } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Menu as AriaMenu, Popover } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { menuPopover } from './Menu.tsx';

export interface OpenedAt<T> {
  /** Viewport coordinates in pixels. */
  x: number;
  y: number;
  /** The object that the menu acts on. */
  target: T;
}

export interface ContextMenuProps<T> {
  opened: OpenedAt<T> | null;
  onClose: () => void;
  /** The menu's accessible name, e.g. "Actions for Form 16.pdf". */
  label: (target: T) => string;
  onAction?: (key: Key, target: T) => void;
  /** MenuItem, MenuSection and MenuSeparator. */
  children: (target: T) => ReactNode;
}

/** Whether menus open as a sheet at the bottom edge: a small touch screen has no room for a menu at a point. */
export const isSheet = (): boolean => matchMedia('(pointer: coarse) and (max-width: 639px)').matches;

/** A menu at a point of the screen; on phones a bottom sheet. Focus returns to the element that had it. */
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
          // A second right click elsewhere remounts the popover at the new point.
          key={`${opened.x},${opened.y}`}
          isOpen
          onOpenChange={(open) => !open && onClose()}
          triggerRef={anchor}
          // Beside the point: with little room below, the menu moves up instead of cutting off its last items.
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
