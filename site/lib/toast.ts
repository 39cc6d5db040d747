import { toast } from 'sonner';

export { toast };

export interface Flash {
  title: string;
  description?: string;
  /** Milliseconds. */
  duration?: number;
  kind?: 'success' | 'error' | 'info';
}

const KEY = 'flash';

export const show = ({ title, kind = 'success', ...options }: Flash) => toast[kind](title, options);

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
