import { atom } from 'nanostores';
import type * as Sonner from 'sonner';
import type { ExternalToast } from 'sonner';
import { importWithRetry } from './lazyWithRetry.ts';

/** Whether a toast was shown yet; the Toaster is loaded with the first one. */
export const $hasToasts = atom(false);

let loaded: Promise<typeof Sonner> | undefined;

/** Loads sonner on first use. It queues toasts until its Toaster is mounted. */
function loadSonner(): Promise<typeof Sonner> {
  loaded ??= importWithRetry(() => import('sonner'));
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

type Kind = 'success' | 'error' | 'info';
type Id = string | number;

let count = 0;

/** The function for one kind of toast. It returns the id before sonner is loaded. */
const toastOf =
  (kind: Kind) =>
  (title: string, options: ExternalToast = {}): Id => {
    const id = options.id ?? `toast-${(count += 1)}`;
    $hasToasts.set(true);
    // The Toaster reports a failure to load.
    loadSonner().then(
      ({ toast: sonner }) => sonner[kind](title, { ...options, id }),
      () => undefined,
    );
    return id;
  };

export const toast = {
  success: toastOf('success'),
  error: toastOf('error'),
  info: toastOf('info'),
  dismiss(id: Id): void {
    loadSonner().then(
      ({ toast: sonner }) => sonner.dismiss(id),
      () => undefined,
    );
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
