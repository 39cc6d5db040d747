import { atom } from 'nanostores';
import type { ExternalToast, toast as sonner } from 'sonner';
import { importWithRetry } from './lazyWithRetry.ts';

/** Whether a toast was shown yet. The toasts are mounted with the first one; sonner queues it until then. */
export const $hasToasts = atom(false);

type Kind = 'success' | 'error' | 'warning' | 'info';
type Sonner = typeof sonner;
type Id = number;
type Options = Omit<ExternalToast, 'id'>;

/** The library is loaded after the first view, or with the first toast. */
export const loadToasts = () => importWithRetry(() => import('sonner'));

/** Where the library cannot be loaded, the page shows a notice instead. */
const withToasts = (use: (toasts: Sonner) => void): void =>
  void loadToasts().then(
    ({ toast: loaded }) => use(loaded),
    () => undefined,
  );

let lastId = 0;

const toastOf =
  (kind: Kind) =>
  (title: string, options: Options = {}): Id => {
    lastId += 1;
    const id = lastId;
    $hasToasts.set(true);
    withToasts((toasts) => void toasts[kind](title, { ...options, id }));
    return id;
  };

export const toast = {
  success: toastOf('success'),
  error: toastOf('error'),
  warning: toastOf('warning'),
  info: toastOf('info'),
  dismiss: (id: Id): void => withToasts((toasts) => void toasts.dismiss(id)),
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
