import { atom } from 'nanostores';
import type * as Sonner from 'sonner';
import type { ExternalToast } from 'sonner';
import { importWithRetry } from './lazyWithRetry.ts';

/** Whether there was anything to tell yet: what shows toasts is loaded then. */
export const $hasToasts = atom(false);

let loaded: Promise<typeof Sonner> | undefined;

/** What keeps and shows toasts. It shows those of before as well, once it is there. */
function sonner(): Promise<typeof Sonner> {
  loaded ??= importWithRetry(() => import('sonner'));
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

type Kind = 'success' | 'error' | 'info';
type Id = string | number;

let count = 0;

/** @returns its id at once. */
const teller =
  (kind: Kind) =>
  (title: string, options: ExternalToast = {}): Id => {
    const id = options.id ?? `toast-${(count += 1)}`;
    $hasToasts.set(true);
    // Where it does not load, the Toaster says so.
    sonner().then(
      ({ toast: shown }) => shown[kind](title, { ...options, id }),
      () => undefined,
    );
    return id;
  };

export const toast = {
  success: teller('success'),
  error: teller('error'),
  info: teller('info'),
  dismiss(id: Id): void {
    sonner().then(
      ({ toast: shown }) => shown.dismiss(id),
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

const KEY = 'flash';

export const show = ({ title, kind = 'success', ...options }: Flash): Id => toast[kind](title, options);

/** A toast for the page that is loaded next. */
export function flash(message: Flash): void {
  sessionStorage.setItem(KEY, JSON.stringify(message));
}

/** Shows what the page before left. */
export function showFlash(): void {
  const left = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (left) show(JSON.parse(left) as Flash);
}
