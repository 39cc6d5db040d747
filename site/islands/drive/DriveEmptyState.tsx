import { FolderOpen, FolderX, ListFilter, Lock, SearchX } from 'lucide-react';
import * as t from '#messages/drive.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { cx } from '../../lib/cx.ts';
import { useDriveContext } from './DriveContext.ts';
import { StartButtons } from './NewMenu.tsx';
import { useOverview } from './Overview.tsx';
import { TrialOffer } from './TrialOffer.tsx';

interface FirstSteps {
  trialOpen: boolean;
  /** Whether the user sees only assigned clients. */
  assignedOnly: boolean;
}

/** Shown instead of an empty list: missing folder, search without results, client without files, or empty folder. */
export function DriveEmptyState(first: FirstSteps) {
  const { place, listing, go } = useDriveContext();
  if (listing.gone) {
    return (
      <EmptyState
        icon={<FolderX size={26} />}
        title={t.noFolder}
        actions={<Button onPress={() => go({})}>{t.goToDrive}</Button>}
      >
        {t.noFolderAbout}
      </EmptyState>
    );
  }
  if (place.search) {
    return (
      <EmptyState
        icon={<SearchX size={26} />}
        title={t.noFiles}
        actions={
          <Button onPress={() => go({ folderId: place.folderId, client: place.client })}>
            {t.leaveSearch}
          </Button>
        }
      >
        {place.search.length < 2 ? t.twoLetters : t.noResults}
      </EmptyState>
    );
  }
  if (place.client) {
    const name = place.client.name || t.thisClient;
    return (
      <EmptyState
        icon={<ListFilter size={26} />}
        title={t.noFilesFor(name)}
        actions={
          <>
            <StartButtons />
            <Button variant="quiet" onPress={() => go({ folderId: place.folderId })}>
              {t.showAll}
            </Button>
            <TrashLink />
          </>
        }
      >
        {t.linkedHint}
      </EmptyState>
    );
  }
  if (place.folderId === null) return <EmptyRoot {...first} />;
  if (listing.seal) return <EmptyState icon={<Lock size={26} />} title={t.empty} />;
  return (
    <EmptyState
      icon={<FolderOpen size={26} />}
      title={t.empty}
      actions={
        <>
          <StartButtons />
          <TrashLink />
        </>
      }
    >
      <span data-needs="documents.write">
        <span className="pointer-coarse:hidden">{t.emptyDrop}</span>
        <span className="hidden pointer-coarse:inline">{t.emptyUpload}</span>
      </span>
    </EmptyState>
  );
}

/** Where deleted items are; hidden without Trash. */
const TrashLink = () => (
  <a
    data-needs="documents.delete"
    href="/trash"
    className={cx(buttonClass('quiet'), '[[data-trash-days="0"]_&]:hidden')}
  >
    {t.lookInTrash}
  </a>
);

function EmptyRoot({ trialOpen, assignedOnly }: FirstSteps) {
  const { data } = useOverview();
  if (assignedOnly && data?.stats.total_clients === 0)
    return (
      <EmptyState
        icon={<FolderOpen size={26} />}
        title={t.noClientAssigned}
        actions={
          <a data-needs="clients.write" href="/clients" className={buttonClass('secondary')}>
            {t.addClients}
          </a>
        }
      >
        {t.noClientAssignedAbout}
      </EmptyState>
    );
  return (
    <>
      <EmptyState
        icon={<FolderOpen size={26} />}
        title={t.noFiles}
        actions={
          <>
            <StartButtons />
            <a data-needs="clients.write" href="/clients" className={buttonClass('quiet')}>
              {t.addClients}
            </a>
          </>
        }
      >
        <span data-needs="documents.write">
          <span className="pointer-coarse:hidden">{t.beginByDrop}</span>
          <span className="hidden pointer-coarse:inline">{t.beginByUpload}</span>
        </span>
      </EmptyState>
      {trialOpen && <TrialOffer />}
    </>
  );
}
