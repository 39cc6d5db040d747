import '../items/items.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Upload } from 'lucide-react';
import * as t from '#messages/drive.ts';
import { loadFailed as sealNotLoaded } from '#messages/seals.ts';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { cx } from '../../lib/cx.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { queryClientFor, listingKey } from '../../lib/cache.ts';
import type { Results } from '../../lib/search.ts';
import { Details, DetailsButton } from '../details/Details.tsx';
import { BulkBar, SelectionStatus } from '../items/BulkBar.tsx';
import { SealBanner } from '../seals/SealBanner.tsx';
import { DriveContext, useDriveContext } from './DriveContext.ts';
import { FoundClients, foundClientsKey } from './FoundClients.tsx';
import { DriveEmptyState } from './DriveEmptyState.tsx';
import { ItemList } from '../items/ItemList.tsx';
import { ItemScreen } from '../items/ItemScreen.tsx';
import { Layers } from '../layers/Layers.tsx';
import type { OverviewData } from './Overview.tsx';
import { Overview, OVERVIEW_KEY } from './Overview.tsx';
import { BackgroundMenu } from './NewMenu.tsx';
import { PathBar, ViewBar } from './Toolbar.tsx';
import { setPageTitle } from './title.ts';
import type { Start } from './useDrive.ts';
import { useDrive } from './useDrive.ts';
import type { DropTarget } from './dropTarget.ts';
import { useDrop } from './useDrop.ts';
import { useDriveShortcuts } from './useDriveShortcuts.ts';

export interface DriveProps extends Start {
  userId: number;
  appName: string;
  /** Null except at the root. */
  overview: OverviewData | null;
  /** Whether the firm may start its trial; only set while the drive is empty. */
  trialOpen: boolean;
  /** Whether the user sees only assigned clients. */
  assignedOnly: boolean;
  /** Null except for a search. */
  foundClients: Pick<Results, 'clients' | 'moreClients'> | null;
  /** The server's clock in milliseconds when it rendered the page. */
  now: number;
}

/** The file browser. */
function DriveIsland({ userId, ...props }: DriveProps) {
  const [cache] = useState(() => {
    const { place, listing, overview, foundClients } = props;
    return queryClientFor(userId, [
      { key: listingKey(place), data: listing, complete: listing.next_cursor === null },
      { key: OVERVIEW_KEY, data: overview, complete: overview !== null },
      { key: foundClientsKey(place.search), data: foundClients, complete: foundClients !== null },
    ]);
  });
  return (
    <QueryClientProvider client={cache}>
      <DriveRoot {...props} />
    </QueryClientProvider>
  );
}

export const Drive = withErrorBoundary(DriveIsland);

function DriveRoot({
  appName,
  now,
  trialOpen,
  assignedOnly,
  ...start
}: Omit<DriveProps, 'userId' | 'overview' | 'foundClients'>) {
  const scroller = useRef<HTMLDivElement>(null);
  const drive = useDrive(start, scroller);
  return (
    <DriveContext value={drive}>
      <ItemScreen model={drive}>
        <DriveScreen scroller={scroller} appName={appName} now={now} first={{ trialOpen, assignedOnly }} />
      </ItemScreen>
    </DriveContext>
  );
}

interface ScreenProps {
  scroller: React.RefObject<HTMLDivElement | null>;
  appName: string;
  now: number;
  first: Pick<DriveProps, 'trialOpen' | 'assignedOnly'>;
}

function DriveScreen({ scroller, appName, now, first }: ScreenProps) {
  const drive = useDriveContext();
  const { place, listing, folder, selection, selecting, alert, setAlert, openDialog } = drive;
  const { target, dragged } = useDrop();
  useDriveShortcuts();
  const heading = place.search ? t.resultsFor(place.search) : folder.name;
  const root = place.folderId === null && !place.client && !place.search;
  // The name of a folder is unknown until it is loaded, and stays so if the folder is gone.
  const known = place.search !== '' || place.folderId === null || folder.path !== '';
  const title = listing.gone ? t.folderNotFound : root ? t.dashboard : known ? heading : null;
  useEffect(() => {
    if (title !== null) setPageTitle(`${title} · ${appName}`);
  }, [title, appName]);
  const showSeal = async () => {
    if (place.folderId === null) return;
    try {
      openDialog({ dialog: 'seal', item: await documentCalls.get(place.folderId) });
    } catch (error) {
      setAlert(messageOf(error, sealNotLoaded));
    }
  };
  const busy = selecting || selection.selected.size > 0;
  const empty = listing.items.length === 0;

  return (
    <div className="relative h-full" data-drive>
      <Screen
        title={t.dashboard}
        within={root ? undefined : heading}
        beside={<PathBar dropTarget={target} />}
        bar={busy ? <BulkBar /> : <ViewBar />}
        barEnd={<DetailsButton />}
        side={<Details {...(!place.search && !place.client && { folder: place.folderId })} />}
        alerts={
          <>
            {listing.seal && !place.search && (
              <SealBanner seal={listing.seal} onDetails={() => void showSeal()} />
            )}
            <ScreenAlerts
              alert={alert}
              onDismiss={() => setAlert(null)}
              error={listing.gone ? null : listing.error}
              onRetry={listing.retry}
              retrying={listing.retrying}
            />
          </>
        }
        scroller={scroller}
      >
        {root && <Overview now={now} />}
        {place.search && !place.client && <FoundClients search={place.search} />}
        {listing.loading ? (
          <LoadingRows />
        ) : empty && (listing.ready || listing.gone) ? (
          <DriveEmptyState {...first} />
        ) : (
          <ItemList
            scroller={scroller}
            label={heading}
            dropTargetId={target?.rowId ?? null}
            dragged={dragged}
          />
        )}
      </Screen>
      {target?.kind === 'files' && <DropOverlay target={target} />}
      <SelectionStatus />
      <span
        id="drag-chip"
        aria-hidden="true"
        className="pointer-events-none fixed -top-40 left-0 max-w-72 truncate rounded-md bg-accent px-3 py-1.5 font-medium text-on-accent"
      />
      <BackgroundMenu />
      <Layers />
    </div>
  );
}

const DropOverlay = ({ target }: { target: DropTarget }) => (
  <div
    className={cx(
      'pointer-events-none absolute inset-2 z-30 flex items-end justify-center pb-10',
      !target.isCrumb && target.rowId === null && 'rounded-lg border-2 border-dashed border-accent',
    )}
  >
    <p className="flex items-center gap-3 rounded-lg bg-accent px-5 py-3 text-lg font-semibold text-on-accent shadow-dialog">
      <Upload aria-hidden size={20} />
      <span>
        {t.dropToUpload}
        <span className="block text-sm font-normal">{t.toFolder(target.name)}</span>
      </span>
    </p>
  </div>
);
