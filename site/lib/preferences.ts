import { atom } from 'nanostores';
import type { Language } from '#server/text/language.ts';
import { isLanguage } from '#server/text/language.ts';

export type Theme = 'light' | 'dark' | 'system';

const THEME_KEY = 'vite-ui-theme';
const SIDEBAR_KEY = 'sidebar';
const TIPS_KEY = 'tips';
const DETAILS_KEY = 'details';
const LANGUAGE_KEY = 'writing-language';

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a choice and has lib/theme-first-paint.js draw it. */
function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It lasts until the page is left.
  }
  document.dispatchEvent(new Event('preferences'));
}

function storedTheme(): Theme {
  const stored = read(THEME_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** What the user chose; `system` until they do. Read it only after hydration: the server cannot know. */
export const $theme = atom<Theme>(typeof document === 'undefined' ? 'system' : storedTheme());

export function setTheme(theme: Theme): void {
  keep(THEME_KEY, theme);
  $theme.set(theme);
}

/** What is on the screen now. */
const paintedTheme = (): 'light' | 'dark' =>
  document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';

export const toggleTheme = (): void => setTheme(paintedTheme() === 'dark' ? 'light' : 'dark');

export const toggleTips = (): void => keep(TIPS_KEY, read(TIPS_KEY) === 'hidden' ? 'shown' : 'hidden');

export const toggleSidebar = (): void => keep(SIDEBAR_KEY, read(SIDEBAR_KEY) === 'open' ? 'closed' : 'open');

/** Whether the details stand beside lists, where there is room. Read it only after hydration, as the theme. */
export const $detailsBeside = atom<boolean>(typeof document !== 'undefined' && read(DETAILS_KEY) === 'open');

export function setDetailsBeside(open: boolean): void {
  keep(DETAILS_KEY, open ? 'open' : 'closed');
  $detailsBeside.set(open);
}

/** In which clients were last written to. Read it only in the browser. */
export function writingLanguage(): Language {
  const stored = read(LANGUAGE_KEY);
  return isLanguage(stored) ? stored : 'en';
}

export const saveWritingLanguage = (language: Language): void => keep(LANGUAGE_KEY, language);
