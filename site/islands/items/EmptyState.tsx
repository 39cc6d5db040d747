import { FolderOpen, FolderX, ListFilter, SearchX } from 'lucide-react';
import { Button } from '../../components/Button.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { useDriveContext } from '../drive/DriveContext.ts';
import { StartButtons } from '../drive/Toolbar.tsx';

/** What stands where there is nothing to list. */
export function Emptiness() {
  const { place, listing, go } = useDriveContext();
  if (listing.gone) {
    return (
      <EmptyState
        icon={<FolderX size={26} />}
        title="This folder is not here"
        actions={<Button onPress={() => go({})}>Go to My Drive</Button>}
      >
        It was deleted, or the address is wrong.
      </EmptyState>
    );
  }
  if (place.search) {
    return (
      <EmptyState
        icon={<SearchX size={26} />}
        title="No files found"
        actions={
          <Button onPress={() => go({ folderId: place.folderId, client: place.client })}>
            Leave the search
          </Button>
        }
      >
        {place.search.length < 2
          ? 'Search for at least two letters.'
          : `No results for “${place.search}”. Try fewer letters, or another word of the name.`}
      </EmptyState>
    );
  }
  if (place.client) {
    const name = place.client.name || 'this client';
    return (
      <EmptyState
        icon={<ListFilter size={26} />}
        title={`No files for ${name}`}
        actions={
          <>
            <StartButtons />
            <Button variant="quiet" onPress={() => go({ folderId: place.folderId })}>
              Show all files
            </Button>
          </>
        }
      >
        What you upload from here is linked to this client.
      </EmptyState>
    );
  }
  if (place.folderId === null) {
    return (
      <EmptyState icon={<FolderOpen size={26} />} title="No files found" actions={<StartButtons />}>
        <span className="pointer-coarse:hidden">
          Drop files or whole folders anywhere on this page, or begin with a folder for your first client.
        </span>
        <span className="hidden pointer-coarse:inline">
          Upload files, take a photo, or begin with a folder for your first client.
        </span>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<FolderOpen size={26} />} title="Folder is empty" actions={<StartButtons />}>
      <span className="pointer-coarse:hidden">Drop files here, or move here what you cut, with Ctrl+V.</span>
      <span className="hidden pointer-coarse:inline">
        Upload files, take a photo, or begin with a folder.
      </span>
    </EmptyState>
  );
}

export const LoadingRows = () => (
  <div aria-busy="true" aria-label="Loading" role="status">
    {Array.from({ length: 8 }, (_, line) => (
      <div key={line} className="flex h-9 items-center gap-3 border-b border-line px-9">
        <Skeleton className="size-5" />
        <Skeleton className="h-3.5 flex-1" />
        <Skeleton className="h-3.5 w-24 max-sm:hidden" />
        <Skeleton className="h-3.5 w-16" />
      </div>
    ))}
  </div>
);
