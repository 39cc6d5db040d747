import type { LucideIcon } from 'lucide-react';
import { HardDrive } from 'lucide-react';

export interface Screen {
  /** Shown in the sidebar and the bottom bar. */
  label: string;
  href: string;
  icon: LucideIcon;
  /** Addresses at or under these belong to it. */
  paths: readonly string[];
  sidebar: boolean;
  bottomBar: boolean;
}

/** The screens of the shell, in their order. One that is not in this list is not reachable. */
export const SCREENS: readonly Screen[] = [
  {
    label: 'Dashboard',
    href: '/dashboard',
    icon: HardDrive,
    paths: ['/dashboard'],
    sidebar: true,
    bottomBar: true,
  },
];

export const isHere = (screen: Screen, path: string): boolean =>
  screen.paths.some((under) => path === under || path.startsWith(`${under}/`));

/** Pages that others link to; null until there is one, and then the link is left out. */
export const LINKS = {
  forgotPassword: null,
  terms: null,
  privacy: null,
  plans: null,
} as const satisfies Record<string, string | null> as Record<
  'forgotPassword' | 'terms' | 'privacy' | 'plans',
  string | null
>;

/** `next` if it is a path on this very site and not the sign-in itself, else '/dashboard'. */
export function safeNext(next: string | null): string {
  const home = '/dashboard';
  // Browsers drop tabs and newlines and read a backslash as a slash: `/\t/evil.example` would leave the site.
  if (!next || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return home;
  return /^\/(login|register)(?:[/?#]|$)/.test(next) ? home : next;
}
