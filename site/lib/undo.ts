import * as common from '#messages/common.ts';
import { toast } from './toast.ts';

/** Long enough to read the toast and to decide. */
const UNDO_MS = 8000;

let last: { id: number; undo: () => void } | null = null;

/** What had the focus before it went to the toasts, of which the pressed one disappears. */
let before: EventTarget | null = null;

const isInToast = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-sonner-toaster]') !== null;

function noteFocus({ target, relatedTarget }: FocusEvent): void {
  if (isInToast(target) && !isInToast(relatedTarget)) before = relatedTarget;
}

const forget = (id: number): void => {
  if (last?.id === id) last = null;
};

/** Shows a toast with an Undo button; while it is shown, Ctrl+Z undoes too. */
export function toastWithUndo(
  title: string,
  undo: () => void,
  description?: string,
  duration = UNDO_MS,
): void {
  document.addEventListener('focusin', noteFocus);
  const id = toast.success(title, {
    duration,
    ...(description && { description }),
    action: {
      label: common.undo,
      onClick: () => {
        forget(id);
        if (before instanceof HTMLElement) before.focus({ preventScroll: true });
        undo();
      },
    },
    onDismiss: () => forget(id),
    onAutoClose: () => forget(id),
  });
  last = { id, undo };
}

/** Undoes the last action while its toast is shown. @returns whether there was one. */
export function undoLast(): boolean {
  if (!last) return false;
  const { id, undo } = last;
  last = null;
  toast.dismiss(id);
  undo();
  return true;
}
