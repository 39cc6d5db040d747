import * as common from '#messages/common.ts';
import { toast } from './toast.ts';

/** Milliseconds: to read, and to think about it. */
const UNDO_MS = 8000;

let last: { id: string | number; undo: () => void } | null = null;

const forget = (id: string | number): void => {
  if (last?.id === id) last = null;
};

/** Says what was done, and offers for a while to take it back, by its button or by Ctrl+Z. */
export function toastWithUndo(title: string, undo: () => void): void {
  const id = toast.success(title, {
    duration: UNDO_MS,
    action: {
      label: common.undo,
      onClick: () => {
        forget(id);
        undo();
      },
    },
    onDismiss: () => forget(id),
    onAutoClose: () => forget(id),
  });
  last = { id, undo };
}

/** Takes back what was done last, while its toast stands there. @returns whether there was anything. */
export function undoLast(): boolean {
  if (!last) return false;
  const { id, undo } = last;
  last = null;
  toast.dismiss(id);
  undo();
  return true;
}
