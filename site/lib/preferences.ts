import { atom } from 'nanostores';

export type Theme = 'light' | 'dark' | 'system';

const THEME_KEY = 'vite-ui-theme';
const SIDEBAR_KEY = 'sidebar';
const TIPS_KEY = 'tips';
const DETAILS_KEY = 'details';

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a preference and lets lib/theme-first-paint.js apply it. */
function save(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage the preference lasts until the page is closed.
  }
  document.dispatchEvent(new Event('preferences'));
}

function storedTheme(): Theme {
  const stored = read(THEME_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** The chosen theme. Read it only after hydration: the server does not know it. */
export const $theme = atom<Theme>(typeof document === 'undefined' ? 'system' : storedTheme());

export function setTheme(theme: Theme): void {
  save(THEME_KEY, theme);
  $theme.set(theme);
}

/** The theme currently painted. */
const paintedTheme = (): 'light' | 'dark' =>
  document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';

export const toggleTheme = (): void => setTheme(paintedTheme() === 'dark' ? 'light' : 'dark');

export const toggleTips = (): void => save(TIPS_KEY, read(TIPS_KEY) === 'hidden' ? 'shown' : 'hidden');

export const toggleSidebar = (): void => save(SIDEBAR_KEY, read(SIDEBAR_KEY) === 'open' ? 'closed' : 'open');

/** Whether the details panel is shown beside lists on wide screens. Read it only after hydration. */
export const $detailsBeside = atom<boolean>(typeof document !== 'undefined' && read(DETAILS_KEY) === 'open');

export function setDetailsBeside(open: boolean): void {
  save(DETAILS_KEY, open ? 'open' : 'closed');
  $detailsBeside.set(open);
}
