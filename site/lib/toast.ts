import { atom } from 'nanostores';
import { toast as sonner } from 'sonner';
import type { ExternalToast } from 'sonner';

/** Whether a toast was shown yet. The toasts are mounted with the first one; sonner queues it until then. */
export const $hasToasts = atom(false);

type Kind = 'success' | 'error' | 'info';
type Id = string | number;

const toastOf =
  (kind: Kind) =>
  (title: string, options: ExternalToast = {}): Id => {
    $hasToasts.set(true);
    return sonner[kind](title, options);
  };

export const toast = {
  success: toastOf('success'),
  error: toastOf('error'),
  info: toastOf('info'),
  dismiss(id: Id): void {
    sonner.dismiss(id);
  },
};

export interface Flash {
  title: string;
  description?: string;
  /** Milliseconds. */
  duration?: number;
  kind?: Kind;
}

const FLASH_KEY = 'flash';

export const show = ({ title, kind = 'success', ...options }: Flash): Id => toast[kind](title, options);

/** Stores a toast for the next page. */
export function flash(message: Flash): void {
  sessionStorage.setItem(FLASH_KEY, JSON.stringify(message));
}

/** Shows the toast that the previous page stored. */
export function showFlash(): void {
  const stored = sessionStorage.getItem(FLASH_KEY);
  sessionStorage.removeItem(FLASH_KEY);
  if (stored) show(JSON.parse(stored) as Flash);
}
