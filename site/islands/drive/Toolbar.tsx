import { CheckSquare, Download, IdCard, LayoutGrid, List, ListFilter, X } from 'lucide-react';
import type { Sort } from '#server/documents/contract.ts';
import type { ReactNode } from 'react';
import * as common from '#messages/common.ts';
import * as t from '#messages/drive.ts';
import type { Crumb } from '../../components/Breadcrumbs.tsx';
import { Breadcrumbs } from '../../components/Breadcrumbs.tsx';
import { Button } from '../../components/Button.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../components/Menu.tsx';
import { cx } from '../../lib/cx.ts';
import { openPage } from '../../lib/navigation.ts';
import { downloadClientFiles } from '../../lib/downloadClientFiles.ts';
import { SORTABLE } from './columns.ts';
import { useDriveContext } from './DriveContext.ts';
import { NewMenu } from './NewMenu.tsx';
import { SearchChips } from './SearchChips.tsx';
import { nextSorting } from '../items/order.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import type { DropTarget } from './dropTarget.ts';

/** The breadcrumbs, which are also drop targets. */
export function PathBar({ dropTarget }: { dropTarget: DropTarget | null }) {
  const { place, listing } = useDriveContext();
  const crumbs: Crumb[] = [{ id: 0, name: common.myDrive }, ...listing.breadcrumbs].map(({ id, name }) => ({
    id,
    name,
    href: driveHref({ folderId: id || null, client: place.client }),
  }));
  const renderCrumb = (crumb: Crumb, link: ReactNode) => (
    <span
      data-crumb={crumb.id}
      className={cx(
        'min-w-0 rounded-xs',
        dropTarget?.isCrumb &&
          (dropTarget.folderId ?? 0) === crumb.id &&
          'bg-accent-soft outline-2 outline-accent',
      )}
    >
      {link}
    </span>
  );
  return <Breadcrumbs crumbs={crumbs} renderCrumb={renderCrumb} className="-ml-1.5 flex-1" />;
}

/** The New menu, the active filters, sorting and view. The bulk bar replaces it while items are selected. */
export function ViewBar() {
  const { place, go, listing, view, setView, sorting, sortBy, setSelecting } = useDriveContext();
  const folders = listing.items.filter((item) => item.type === 'folder').length;
  const files = listing.items.length - folders;
  const counts = [folders > 0 && t.folderCount(folders), files > 0 && t.fileCount(files)].filter(Boolean);
  return (
    <>
      {!listing.seal && !listing.gone && <NewMenu />}
      {place.client && (
        <span className="flex h-7 min-w-0 items-center gap-1.5 rounded-full border border-accent-line bg-accent-soft pr-0.5 pl-3 text-sm font-medium text-accent-text">
          <ListFilter aria-hidden size={14} className="shrink-0 max-sm:hidden" />
          <span className="truncate">{place.client.name || t.oneClient}</span>
          <IconButton
            label={t.openRecord}
            size="sm"
            className="rounded-full text-accent-text! max-sm:hidden"
            onPress={() => openPage(`/clients?edit=${place.client!.id}`)}
          >
            <IdCard aria-hidden size={14} />
          </IconButton>
          <IconButton
            data-needs="documents.download"
            label={t.downloadAll}
            size="sm"
            className="rounded-full text-accent-text!"
            onPress={() => void downloadClientFiles(place.client!.id)}
          >
            <Download aria-hidden size={14} />
          </IconButton>
          <IconButton
            label={t.showAllClients}
            size="sm"
            className="rounded-full text-accent-text!"
            onPress={() => go({ folderId: place.folderId, search: place.search })}
          >
            <X aria-hidden size={14} />
          </IconButton>
        </span>
      )}
      {place.search && <SearchChips />}
      <span className="tabular min-w-0 flex-1 truncate text-sm text-muted max-sm:invisible">
        {listing.ready && counts.join(', ')}
      </span>
      <Button
        variant="quiet"
        size="sm"
        icon={<CheckSquare aria-hidden size={16} />}
        onPress={() => setSelecting(true)}
        isDisabled={listing.items.length === 0}
      >
        <span className={place.client || place.search ? 'max-sm:sr-only' : ''}>{t.select}</span>
      </Button>
      <span className={view === 'list' ? 'sm:hidden' : ''}>
        <MenuTrigger>
          <Button variant="quiet" size="sm">
            <span className="sr-only">{t.sortBy}</span>
            {SORTABLE.find(({ by }) => by === sorting.by)?.label} {sorting.descending ? '↓' : '↑'}
          </Button>
          <Menu
            placement="bottom end"
            selectionMode="single"
            disallowEmptySelection={false}
            selectedKeys={[sorting.by]}
            onAction={(key) => sortBy(nextSorting(sorting, key as Sort))}
          >
            {SORTABLE.map(({ by, label }) => (
              <MenuItem key={by} id={by}>
                {label}
              </MenuItem>
            ))}
          </Menu>
        </MenuTrigger>
      </span>
      <div role="group" aria-label={t.view} className="flex">
        <IconButton
          label={t.list}
          active={view === 'list'}
          aria-pressed={view === 'list'}
          onPress={() => setView('list')}
        >
          <List aria-hidden size={18} />
        </IconButton>
        <IconButton
          label={t.grid}
          active={view === 'grid'}
          aria-pressed={view === 'grid'}
          onPress={() => setView('grid')}
        >
          <LayoutGrid aria-hidden size={18} />
        </IconButton>
      </div>
    </>
  );
}
