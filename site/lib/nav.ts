import type { LucideIcon } from 'lucide-react';
import { CircleHelp, Clock, Files, HardDrive, PieChart, Settings, Users } from 'lucide-react';

export interface Screen {
  /** Shown in the sidebar and the bottom bar. */
  label: string;
  /** Shown in the bottom bar instead, where there is less room. */
  short?: string;
  href: string;
  icon: LucideIcon;
  /** Addresses at or under these belong to it. */
  paths: readonly string[];
  sidebar: boolean;
  /** Stands at the sidebar's lower end. */
  end?: boolean;
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
  {
    label: 'Documents',
    href: '/documents',
    icon: Files,
    paths: ['/documents'],
    sidebar: true,
    bottomBar: false,
  },
  {
    label: 'Clients',
    href: '/clients',
    icon: Users,
    paths: ['/clients'],
    sidebar: true,
    bottomBar: true,
  },
  {
    label: 'Recent Files',
    short: 'Recent',
    href: '/recent',
    icon: Clock,
    paths: ['/recent'],
    sidebar: true,
    bottomBar: true,
  },
  {
    label: 'Storage',
    href: '/storage',
    icon: PieChart,
    paths: ['/storage', '/subscription-plans'],
    sidebar: true,
    bottomBar: true,
  },
  {
    label: 'Settings',
    href: '/settings',
    icon: Settings,
    paths: ['/settings'],
    sidebar: true,
    end: true,
    bottomBar: true,
  },
  {
    label: 'Help',
    href: '/help',
    icon: CircleHelp,
    paths: ['/help'],
    sidebar: true,
    end: true,
    bottomBar: false,
  },
];

export const isHere = (screen: Screen, path: string): boolean =>
  screen.paths.some((under) => path === under || path.startsWith(`${under}/`));
