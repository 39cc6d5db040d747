import { useStore } from '@nanostores/react';
import { LogOut, Monitor, Moon, Sparkles, Sun } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import type { UserView } from '#server/auth/contract.ts';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import * as t from '#messages/shell.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Badge } from '../../components/Badge.tsx';
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '../../components/Menu.tsx';
import { confirm } from '../../lib/confirm.ts';
import { cx } from '../../lib/cx.ts';
import { SCREENS } from '../../lib/screens.ts';
import type { Theme } from '../../lib/preferences.ts';
import { $theme, setTheme } from '../../lib/preferences.ts';
import { $session, signOut } from '../../lib/session.ts';
import { hasStore, pendingFiles } from '../../lib/share-target/store.ts';
import { leaveUnsaved } from '../../lib/unsaved.ts';

export interface UserMenuProps {
  viewer: UserView;
  /** `Premium Plan`, `Trial Plan` or `Free Plan`. */
  plan: string;
  place: 'sidebar' | 'topbar';
}

/** The number of shared files that are not uploaded yet; signing out removes them. */
const countUnsent = async (userId: number): Promise<number> =>
  (await hasStore()) ? (await pendingFiles(userId)).own.length : 0;

async function askAndSignOut(userId: number): Promise<void> {
  const unsent = await countUnsent(userId).catch(() => 0);
  const sure = await confirm({
    title: t.confirmLogout,
    body: unsent > 0 ? t.logoutLoses(unsent) : t.logoutAbout,
    action: t.logout,
  });
  if (!sure) return;
  await signOut();
  leaveUnsaved();
  location.replace('/login');
}

function UserMenuIsland({ viewer, plan, place }: UserMenuProps) {
  const session = useStore($session, { ssr: 'initial' });
  const theme = useStore($theme, { ssr: 'initial' });
  const { initials, name, email } = session.user ?? viewer;
  const free = plan === 'Free Plan';
  return (
    <MenuTrigger>
      <Button
        className={cx(
          'flex items-center rounded-md text-left outline-offset-0 transition-colors hover:bg-pressed data-[pressed]:bg-pressed aria-expanded:bg-pressed',
          place === 'sidebar' ? 'user-button mt-0.5 w-full' : 'size-11 justify-center md:hidden',
        )}
      >
        <Avatar initials={initials} />
        <span className="sr-only">{place === 'topbar' ? t.accountOf(name) : t.account}</span>
        {place === 'sidebar' && (
          <>
            <span className="user-text min-w-0 flex-1">
              <span className="block truncate text-sm font-medium">{name}</span>
              <span className="block truncate text-xs text-muted">{email}</span>
            </span>
            <span aria-hidden className="user-short font-medium text-muted">
              {t.account}
            </span>
          </>
        )}
      </Button>
      <Menu
        placement={place === 'sidebar' ? 'top start' : 'bottom end'}
        aria-label={t.account}
        onAction={(key) => key === 'logout' && void askAndSignOut(viewer.id)}
      >
        <MenuSection
          title={`${name} · ${email}`}
          aria-label={t.theme}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[theme]}
          onSelectionChange={(keys) => setTheme([...keys][0] as Theme)}
        >
          <MenuItem id="light" textValue={t.lightTheme} icon={<Sun aria-hidden size={16} />}>
            {t.lightTheme}
          </MenuItem>
          <MenuItem id="dark" textValue={t.darkTheme} icon={<Moon aria-hidden size={16} />}>
            {t.darkTheme}
          </MenuItem>
          <MenuItem id="system" textValue={t.systemDefault} icon={<Monitor aria-hidden size={16} />}>
            {t.systemDefault}
          </MenuItem>
        </MenuSection>
        <MenuSeparator />
        {/* Users who cannot upload do not see the plan. */}
        {viewer.permissions.includes('documents.write') && (
          <MenuItem
            id="plan"
            href="/subscription-plans"
            textValue={free ? t.upgradeNow : plan}
            icon={<Sparkles aria-hidden size={16} />}
          >
            {free ? t.upgradeNow : plan} {free && <Badge tone="accent">{t.pro}</Badge>}
          </MenuItem>
        )}
        {/* The screens of the sidebar that the bottom bar has no room for. */}
        {place === 'topbar' &&
          SCREENS.filter(
            ({ sidebar, bottomBar, needs }) =>
              sidebar && !bottomBar && (!needs || viewer.permissions.includes(needs)),
          ).map(({ label, href, icon: Icon }) => (
            <MenuItem key={href} id={href} href={href} icon={<Icon aria-hidden size={16} />}>
              {label}
            </MenuItem>
          ))}
        <MenuSeparator />
        <MenuItem id="logout" icon={<LogOut aria-hidden size={16} />}>
          {t.logout}
        </MenuItem>
      </Menu>
    </MenuTrigger>
  );
}

export const UserMenu = withErrorBoundary(UserMenuIsland, null);
