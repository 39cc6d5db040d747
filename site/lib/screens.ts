import type { LucideIcon } from 'lucide-react';
import type { Permission } from '#server/permissions.ts';
import {
  Archive,
  CircleHelp,
  Clock,
  Files,
  FolderInput,
  HardDrive,
  History,
  ListChecks,
  Inbox,
  PieChart,
  Settings,
  Share2,
  Trash2,
  UserCog,
  Users,
} from 'lucide-react';
import * as shell from '#messages/shell.ts';

export interface Screen {
  /** Shown in the sidebar and the bottom bar. */
  label: string;
  /** A shorter label for the bottom bar. */
  short?: string;
  href: string;
  icon: LucideIcon;
  /** The screen is current at these paths and below them. */
  paths: readonly string[];
  sidebar: boolean;
  /** Shown at the bottom of the sidebar. */
  end?: boolean;
  bottomBar: boolean;
  /** The screen is shown only to users with this permission. */
  needs?: Permission;
}

/** The screens of the shell, in display order. A screen missing here cannot be reached. */
export const SCREENS: readonly Screen[] = [
  {
    label: shell.dashboard,
    href: '/dashboard',
    icon: HardDrive,
    paths: ['/dashboard'],
    sidebar: true,
    bottomBar: true,
  },
  {
    label: shell.documents,
    href: '/documents',
    icon: Files,
    paths: ['/documents'],
    sidebar: true,
    bottomBar: false,
  },
  {
    label: shell.clients,
    href: '/clients',
    icon: Users,
    paths: ['/clients'],
    sidebar: true,
    bottomBar: true,
  },
  {
    label: shell.recentFiles,
    short: shell.recent,
    href: '/recent',
    icon: Clock,
    paths: ['/recent'],
    sidebar: true,
    bottomBar: true,
  },
  {
    label: shell.filing,
    href: '/filing',
    icon: FolderInput,
    paths: ['/filing'],
    sidebar: true,
    bottomBar: false,
    needs: 'documents.write',
  },
  {
    label: shell.review,
    href: '/review',
    icon: ListChecks,
    paths: ['/review'],
    sidebar: true,
    bottomBar: false,
    needs: 'documents.write',
  },
  {
    label: shell.requests,
    href: '/requests',
    icon: Inbox,
    paths: ['/requests'],
    sidebar: true,
    bottomBar: false,
    needs: 'share',
  },
  {
    label: shell.shared,
    href: '/shared',
    icon: Share2,
    paths: ['/shared'],
    sidebar: true,
    bottomBar: false,
    needs: 'share',
  },
  {
    label: shell.trash,
    href: '/trash',
    icon: Trash2,
    paths: ['/trash'],
    sidebar: true,
    bottomBar: false,
    needs: 'documents.delete',
  },
  {
    label: shell.retention,
    href: '/retention',
    icon: Archive,
    paths: ['/retention'],
    sidebar: true,
    bottomBar: false,
    needs: 'retention.manage',
  },
  {
    label: shell.storage,
    href: '/storage',
    icon: PieChart,
    paths: ['/storage', '/subscription-plans'],
    sidebar: true,
    bottomBar: true,
  },
  {
    label: shell.history,
    href: '/history',
    icon: History,
    paths: ['/history'],
    sidebar: true,
    end: true,
    bottomBar: false,
    needs: 'history.read',
  },
  {
    label: shell.team,
    href: '/team',
    icon: UserCog,
    paths: ['/team'],
    sidebar: true,
    end: true,
    bottomBar: false,
    needs: 'team.manage',
  },
  {
    label: shell.settings,
    href: '/settings',
    icon: Settings,
    paths: ['/settings', '/system', '/backups', '/quarantine'],
    sidebar: true,
    end: true,
    bottomBar: true,
  },
  {
    label: shell.help,
    href: '/help',
    icon: CircleHelp,
    paths: ['/help'],
    sidebar: true,
    end: true,
    bottomBar: false,
  },
];

export const isCurrentScreen = (screen: Screen, path: string): boolean =>
  screen.paths.some((base) => path === base || path.startsWith(`${base}/`));
