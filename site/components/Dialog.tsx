import type { FormEvent, ReactNode } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';
import { X } from 'lucide-react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import * as common from '#messages/common.ts';
import { confirmDiscard } from '../lib/confirm.ts';
import { coverPage } from '../lib/coverPage.ts';
import { cx } from '../lib/cx.ts';
import { useUnsaved } from '../lib/useUnsaved.ts';
import { DialogFocus } from './DialogFocus.tsx';
import { IconButton } from './IconButton.tsx';

export interface DialogProps {
  title: ReactNode;
  children: ReactNode;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** `alertdialog` for questions that must be answered. */
  role?: 'dialog' | 'alertdialog';
  /** Whether a click outside closes the dialog; do not set it where typed text would be lost. */
  isDismissable?: boolean;
  /** Whether Esc does not close the dialog. */
  isKeyboardDismissDisabled?: boolean;
  /** Whether Esc, the close button and leaving the page ask first when something was typed or `isUnsaved`. Cancel does not: it says so. */
  keepsTyped?: boolean;
  /**
   * Whether the values differ from the saved ones, also those that were chosen or typed before the dialog gave way to
   * another one. A dialog without `keepsTyped` asks by itself before it closes; then only leaving the page asks here.
   */
  isUnsaved?: boolean;
  /** Whether there is a close button in the corner. */
  hasClose?: boolean;
  /** Whether the page and all other dialogs are hidden. */
  isCover?: boolean;
}

/** Whether a field was typed into that is more than a search within the dialog. */
const isTyping = ({ target }: FormEvent): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type !== 'search' && target.role !== 'combobox');

const WIDTHS = { sm: 'max-w-[26rem]', md: 'max-w-[32rem]', lg: 'max-w-[44rem]', xl: 'max-w-[64rem]' };

/**
 * A modal dialog. Focus moves to the first field, or to the one with `autoFocus`, and returns on close; of a control that
 * disappears it moves to the neighbour. Wrap DialogBody and DialogFooter in a `<form className="contents">` to submit with
 * Enter.
 */
export function Dialog({
  title,
  children,
  isOpen,
  onOpenChange,
  size = 'sm',
  role = 'dialog',
  isDismissable = false,
  isKeyboardDismissDisabled = false,
  keepsTyped = false,
  isUnsaved = false,
  hasClose = true,
  isCover = false,
}: DialogProps) {
  const [typed, setTyped] = useState(false);
  const asks = keepsTyped && (typed || isUnsaved);
  useUnsaved(isOpen && (asks || isUnsaved));
  useLayoutEffect(() => (isOpen && isCover ? coverPage() : undefined), [isOpen, isCover]);
  const content = useRef<HTMLDivElement>(null);
  async function change(open: boolean) {
    if (open || !asks || (await confirmDiscard(common.notSaved))) onOpenChange(open);
  }
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={keepsTyped ? (open) => void change(open) : onOpenChange}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={isKeyboardDismissDisabled}
      data-dialog
      data-cover={isCover || undefined}
      // Below a toast of several lines, which would cover the close button.
      className="fixed inset-0 z-50 flex items-start justify-center overflow-hidden bg-scrim p-4 pt-[clamp(12vh,6.5rem,16vh)] data-[entering]:animate-appear max-sm:items-end max-sm:p-0"
    >
      <Modal
        className={cx(
          'flex max-h-[80vh] w-full flex-col overflow-hidden rounded-lg bg-raised shadow-dialog data-[entering]:animate-rise',
          'max-sm:max-h-[calc(100dvh-6rem)] max-sm:max-w-none max-sm:rounded-b-none',
          WIDTHS[size],
        )}
      >
        <AriaDialog role={role} className="flex min-h-0 flex-1 flex-col outline-none">
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-1">
            <Heading
              slot="title"
              className="min-w-0 pt-0.5 text-lg font-semibold break-words pointer-coarse:pt-2"
            >
              {title}
            </Heading>
            {hasClose && (
              <IconButton label={common.close} slot="close" size="sm" className="-mr-1.5">
                <X aria-hidden size={16} />
              </IconButton>
            )}
          </header>
          <div
            ref={content}
            className="contents"
            onInput={(event) => {
              if (isTyping(event)) setTyped(true);
            }}
          >
            {children}
            <DialogFocus content={content} />
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The scrolling part of a dialog. */
export function DialogBody({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx('relative min-h-0 flex-1 overflow-y-auto px-5 py-3', className)}>{children}</div>;
}

/** The buttons of a dialog, the primary one last. */
export function DialogFooter({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <footer className={cx('flex flex-wrap justify-end gap-2 px-5 pt-2 pb-4', className)}>{children}</footer>
  );
}
