import { FolderOpen, FolderX, ListFilter, SearchX } from 'lucide-react';
import { Button } from '../../components/Button.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { useDriveContext } from './DriveContext.ts';
import { StartButtons } from './NewMenu.tsx';

/** What stands where there is nothing to list. */
export function DriveEmptyState() {
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
