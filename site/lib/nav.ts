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
