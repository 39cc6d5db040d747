import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Alert } from '../../../components/Alert.tsx';
import { Button } from '../../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';
import { FileGlyph } from '../../../components/FileGlyph.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { SearchField } from '../../../components/SearchField.tsx';
import { Skeleton } from '../../../components/Skeleton.tsx';
import { messageOf } from '../../../lib/apiError.ts';
import { listingKey } from '../../../lib/cache.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import { SEARCH_MIN } from '#server/search/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/items.ts';
import { useDelayed } from '../../../lib/useDelayed.ts';
import { useDebouncedQuery } from '../../../lib/useDebouncedQuery.ts';

/** Milliseconds without a key before the search is asked. */
const SETTLED = 200;
const isLookedUp = (text: string): boolean => text.length >= SEARCH_MIN;

export interface FolderDialogProps {
  title: string;
  /** Where it begins; null is 'My Drive'. */
  startId: number | null;
  /** Folders that cannot be gone into, since they are what is moved. */
  barred: ReadonlySet<number>;
  /** Whether there is nothing to do in this folder. */
  isThere?: (id: number | null) => boolean;
  /** Why nothing can be done any more; null while something can. */
  gone?: string | null;
  /** What the button says, by the folder's name. */
  label: (folder: string) => string;
  /** @returns whether all is done, and the dialog can be closed. */
  onChoose: (folder: { id: number | null; name: string }) => Promise<boolean>;
  onClose: () => void;
}

/** Chooses a folder by walking through them. */
export function FolderDialog(props: FolderDialogProps) {
  const { title, startId, barred, gone = null, label, onChoose, onClose } = props;
  const [folderId, setFolderId] = useState(startId);
  const [filter, setFilter] = useState('');
  const [busy, setBusy] = useState(false);
  const { data, error, refetch, isFetching, isPending } = useQuery({
    queryKey: listingKey({ folderId, client: null, search: '' }),
    queryFn: ({ signal }) => documentCalls.listing(folderId, null, signal),
  });
  const wanted = filter.trim();
  // From two letters on the whole drive is searched; before, the folders here are narrowed down.
  const found = useDebouncedQuery(wanted, {
    of: 'folders',
    ask: documentCalls.folders,
    wait: SETTLED,
    enabled: isLookedUp,
  });
  const { text } = found;
  const everywhere = isLookedUp(wanted) && isLookedUp(text);
  const pending = everywhere ? found.data === undefined && !found.error : isPending;
  const waiting = useDelayed(pending, 150);
  const crumbs = data?.breadcrumbs ?? [];
  const here = crumbs.at(-1)?.name ?? common.myDrive;
  const above = crumbs.at(-2) ?? null;
  const inside = (data?.items ?? []).filter(
    (item) => item.type === 'folder' && item.name.toLowerCase().includes(wanted.toLowerCase()),
  );
  const folders = everywhere ? (found.data ?? []) : inside;
  const failure = everywhere ? found.error : error;
  const isThere = props.isThere?.(folderId) ?? false;

  const enter = (id: number | null) => {
    setFilter('');
    setFolderId(id);
  };

  async function choose() {
    setBusy(true);
    const all = await onChoose({ id: folderId, name: here });
    setBusy(false);
    if (all) onClose();
  }

  return (
    <Dialog title={title} isOpen onOpenChange={onClose}>
      <DialogBody className="flex flex-col gap-3">
        {gone && <Alert tone="warning">{gone}</Alert>}
        <div className="flex items-center gap-1">
          <IconButton
            label={t.folderAbove}
            size="sm"
            isDisabled={folderId === null}
            onPress={() => enter(above?.id ?? null)}
          >
            <ChevronLeft aria-hidden size={16} />
          </IconButton>
          <p
            className="min-w-0 flex-1 truncate font-semibold"
            aria-live="polite"
            title={[common.myDrive, ...crumbs.map(({ name }) => name)].join(' / ')}
          >
            {here}
          </p>
        </div>
        <SearchField
          label={t.searchFolders}
          placeholder={t.searchFolders}
          value={filter}
          onChange={setFilter}
          autoFocus
        />
        <ul
          className="h-64 overflow-y-auto rounded-md border border-line"
          aria-label={everywhere ? t.foldersLike(text) : t.foldersIn(here)}
          aria-busy={pending}
        >
          {waiting && Array.from({ length: 5 }, (_, line) => <Skeleton key={line} className="m-2.5 h-5" />)}
          {failure && (
            <Alert
              onRetry={() => (everywhere ? found.retry() : void refetch())}
              retrying={everywhere ? found.fetching : isFetching}
              className="m-2"
            >
              {messageOf(failure, t.foldersFailed)}
            </Alert>
          )}
          {folders.map((folder) => (
            <li key={folder.id}>
              <button
                type="button"
                disabled={barred.has(folder.id)}
                title={barred.has(folder.id) ? t.notIntoItself : folder.name}
                onClick={() => enter(folder.id)}
                className="flex min-h-10 w-full items-center gap-2.5 px-3 text-left -outline-offset-2 hover:bg-hover disabled:pointer-events-none disabled:text-disabled pointer-coarse:h-11"
              >
                <FileGlyph fileType={null} size={18} className={barred.has(folder.id) ? 'opacity-40' : ''} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{folder.name}</span>
                  {everywhere && (
                    <span className="block truncate text-xs text-muted">{folder.path || common.myDrive}</span>
                  )}
                </span>
                <ChevronRight aria-hidden size={14} className="text-muted" />
              </button>
            </li>
          ))}
          {(everywhere ? found.data : data) && folders.length === 0 && (
            <li className="px-3 py-10 text-center text-muted">
              {everywhere ? t.noResults(text) : wanted ? t.noFolderHere : t.noFoldersIn(here)}
            </li>
          )}
        </ul>
      </DialogBody>
      <DialogFooter>
        <Button onPress={onClose}>{common.cancel}</Button>
        <Button
          variant="primary"
          busy={busy}
          isDisabled={isThere || !data || gone !== null}
          onPress={() => void choose()}
          className="max-w-64"
        >
          <span className="truncate">{isThere ? t.alreadyHere : label(here)}</span>
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
