import { Download, Moon, Sun } from 'lucide-react';
import type { UserView } from '#server/auth/contract.ts';
import type { Badge } from '#server/subscription/contract.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { downloadApp } from '#messages/desktop.ts';
import * as t from '#messages/shell.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { toggleTheme } from '../../lib/preferences.ts';
import { GlobalSearch } from './GlobalSearch.tsx';
import { SubscriptionBadge } from './SubscriptionBadge.tsx';
import { useBadge } from './useBadge.ts';
import { UserMenu } from './UserMenu.tsx';

export interface TopBarProps {
  viewer: UserView;
  badge: Badge;
  /** Whether the desktop uploader is offered. */
  hasApp: boolean;
}

function TopBarIsland({ viewer, badge: initialBadge, hasApp }: TopBarProps) {
  const badge = useBadge(initialBadge);
  // Users who cannot upload do not see the plan or the uploader.
  const writes = viewer.permissions.includes('documents.write');
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2">
      <GlobalSearch />
      <div className="ml-auto flex shrink-0 items-center gap-1.5">
        {writes && <SubscriptionBadge badge={badge} />}
        {writes && hasApp && (
          <a
            href="/download-app"
            title={downloadApp}
            className="inline-flex h-8 items-center gap-2 rounded-sm px-2 text-muted no-underline hover:bg-hover hover:text-text max-md:hidden pointer-coarse:min-h-11"
          >
            <Download aria-hidden size={18} />
            <span className="max-lg:sr-only">{downloadApp}</span>
          </a>
        )}
        <IconButton label={t.switchTheme} onPress={toggleTheme} className="max-md:hidden">
          <Sun aria-hidden size={18} className="hidden dark:block" />
          <Moon aria-hidden size={18} className="dark:hidden" />
        </IconButton>
        <UserMenu viewer={viewer} plan={badge.plan} place="topbar" />
      </div>
    </div>
  );
}

export const TopBar = withErrorBoundary(TopBarIsland, null);
