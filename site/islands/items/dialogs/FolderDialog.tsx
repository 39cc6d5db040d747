import type { FormEvent, KeyboardEvent } from 'react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, FolderPlus } from 'lucide-react';
import type { ItemView } from '#server/documents/contract.ts';
import { Alert } from '../../../components/Alert.tsx';
import { Button } from '../../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../../components/Dialog.tsx';
import { FileGlyph } from '../../../components/FileGlyph.tsx';
import { IconButton } from '../../../components/IconButton.tsx';
import { MiddleCut } from '../../../components/MiddleCut.tsx';
import { OneFieldDialog } from '../../../components/OneFieldDialog.tsx';
import { SearchField } from '../../../components/SearchField.tsx';
import { Skeleton } from '../../../components/Skeleton.tsx';
import { messageOf } from '../../../lib/apiError.ts';
import type { ClientRef } from '../../../lib/driveLocation.ts';
import { listingKey, notifyChanged } from '../../../lib/cache.ts';
import { documentCalls } from '../../../lib/documentCalls.ts';
import { SEARCH_MIN } from '#server/search/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/items.ts';
import * as d from '#messages/itemDialogs.ts';
import { useDelayed } from '../../../lib/useDelayed.ts';
import { useDebouncedQuery } from '../../../lib/useDebouncedQuery.ts';
import { findFolders } from './findFolders.ts';
import { MoveEffect } from './MoveEffect.tsx';
import { useGoneFolder } from './useGoneFolder.ts';

const DEBOUNCE_MS = 200;
const isSearchable = (text: string): boolean => text.length >= SEARCH_MIN;

export interface FolderDialogProps {
  title: string;
  /** The initial folder; null is 'My Drive'. */
  startId: number | null;
  /** Folders that cannot be opened, since they are being moved. */
  excluded: ReadonlySet<number>;
  /** Whether this folder cannot be chosen: the items are in it, or it is 'My Drive' where only a folder makes sense. */
  isCurrent?: (id: number | null) => boolean;
  /** The button's label for such a folder. */
  currentLabel?: string;
  /** Why the action is no longer possible; null while it is. */
  removed?: string | null;
  /** Whether a new folder can be made on the way. */
  canCreate?: boolean;
  /** The client whose folders a search shows first. */
  client?: ClientRef | null;
  /** The items for which the folder is chosen: the dialog says to whom they will belong in it. */
  moved?: readonly ItemView[];
  /** The button's label for a folder's name. */
  label: (folder: string) => string;
  /**
   * @param tell shows in the dialog why the action failed: it covers the page.
   * @returns whether the dialog can be closed.
   */
  onChoose: (
    folder: { id: number | null; name: string },
    tell: (message: string | null) => void,
  ) => Promise<boolean>;
  onClose: () => void;
}

/** The path of a folder that was found, and its client unless the path names it. */
const placeOfFound = ({ name, path, client_name }: ItemView): string => {
  const place = path || common.myDrive;
  const isNamed = client_name === null || [name, ...place.split(' / ')].includes(client_name);
  return isNamed ? place : `${place} · ${client_name}`;
};

/** Chooses a folder by browsing or by searching. */
export function FolderDialog(props: FolderDialogProps) {
  const { title, startId, excluded, removed = null, canCreate = false, label, onChoose, onClose } = props;
  const { client = null } = props;
  const [folderId, setFolderId] = useState(startId);
  const [filter, setFilter] = useState('');
  const [busy, setBusy] = useState(false);
  const [alert, setAlert] = useState<string | null>(null);
  const [creating, setCreating] = useState(false);
  const { data, error, refetch, isFetching, isPending } = useQuery({
    queryKey: listingKey({ folderId, client: null, search: '' }),
    queryFn: ({ signal }) => documentCalls.listing(folderId, null, signal),
  });
  const wanted = filter.trim();
  // From two letters on the whole drive is searched; with one, the open folder's folders are filtered.
  const search = useDebouncedQuery(wanted, {
    name: `folders ${client?.id}`,
    load: (text, signal) => findFolders(text, client, signal),
    debounceMs: DEBOUNCE_MS,
    enabled: isSearchable,
  });
  const { text } = search;
  const isSearch = isSearchable(wanted) && isSearchable(text);
  const pending = isSearch ? search.data === undefined && !search.error : isPending;
  const waiting = useDelayed(pending, 150);
  const crumbs = data?.breadcrumbs ?? [];
  const folderName = folderId === null ? common.myDrive : (crumbs.at(-1)?.name ?? common.thisFolder);
  const above = crumbs.at(-2) ?? null;
  const pathAbove = [common.myDrive, ...crumbs.slice(0, -1).map(({ name }) => name)].join(' / ');
  const gone = useGoneFolder(folderId, error);
  const inside = (gone ? [] : (data?.items ?? [])).filter(
    (item) => item.type === 'folder' && item.name.toLowerCase().includes(wanted.toLowerCase()),
  );
  const folders = isSearch ? (search.data ?? []) : inside;
  const failure = isSearch ? search.error : error;
  /** The open folder cannot be chosen: it is not loaded, or was deleted meanwhile. */
  const isUnusable = !data || error !== null || removed !== null;
  const isCurrent = props.isCurrent?.(folderId) ?? false;

  const browser = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  /** The text for which Enter was pressed: a fast typist presses it before the folders are found. */
  const [sought, setSought] = useState('');
  const hasCreated = useRef(false);
  useEffect(() => {
    // In this field Enter chooses the new folder; on the button it would make another.
    if (!creating && hasCreated.current) field.current?.focus();
    hasCreated.current = false;
  }, [creating]);
  const enter = (id: number | null) => {
    setFilter('');
    setSought('');
    setFolderId(id);
  };
  const enterFirst = useEffectEvent(() => {
    const first = sought === wanted ? folders.find(({ id }) => !excluded.has(id)) : undefined;
    setSought('');
    if (first) enter(first.id);
  });
  const isFound = sought !== '' && !(isSearchable(wanted) ? search.pending : isPending);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- reacts to folders loaded from the server
    if (isFound) enterFirst();
  }, [isFound]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && event.target === field.current && wanted !== '') {
      event.preventDefault();
      setSought(wanted);
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const stops = [...browser.current!.querySelectorAll<HTMLElement>('input, li button:enabled')];
    stops[stops.indexOf(event.target as HTMLElement) + step]?.focus();
  }

  async function create(name: string) {
    const folder = await documentCalls.createFolder(name, folderId, null);
    notifyChanged();
    enter(folder.id);
    hasCreated.current = true;
  }

  async function choose(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setAlert(null);
    const isDone = await onChoose({ id: folderId, name: folderName }, setAlert);
    setBusy(false);
    if (isDone) onClose();
  }

  return (
    <>
      <Dialog title={title} isOpen onOpenChange={onClose}>
        <form className="contents" noValidate onSubmit={(event) => void choose(event)}>
          <DialogBody className="flex flex-col gap-3">
            {alert && <Alert>{alert}</Alert>}
            {removed && <Alert tone="warning">{removed}</Alert>}
            <div className="flex min-h-10 items-center gap-1">
              <IconButton
                label={d.folderAbove}
                size="sm"
                isDisabled={folderId === null}
                isPending={isPending}
                onPress={() => enter(above?.id ?? null)}
              >
                <ChevronLeft aria-hidden size={16} />
              </IconButton>
              <div className="flex min-w-0 flex-1 flex-col" aria-live="polite">
                <MiddleCut text={folderName} className="font-semibold" />
                {folderId !== null && data && <MiddleCut text={pathAbove} className="text-xs text-muted" />}
              </div>
              {canCreate && (
                <IconButton
                  label={t.newFolder}
                  size="sm"
                  isDisabled={isUnusable}
                  onPress={() => setCreating(true)}
                >
                  <FolderPlus aria-hidden size={16} />
                </IconButton>
              )}
            </div>
            <div ref={browser} role="presentation" className="contents" onKeyDownCapture={onKeyDown}>
              <SearchField
                inputRef={field}
                label={d.searchFolders}
                placeholder={d.searchFolders}
                value={filter}
                onChange={setFilter}
                autoFocus
              />
              {/* Of one height, so that the buttons stay in place. */}
              <div className="flex h-76 flex-col gap-2">
                <ul
                  className="min-h-32 flex-1 overflow-y-auto rounded-md border border-line"
                  aria-label={isSearch ? d.foldersLike(text) : d.foldersIn(folderName)}
                  aria-busy={pending}
                >
                  {waiting &&
                    Array.from({ length: 5 }, (_, line) => <Skeleton key={line} className="m-2.5 h-5" />)}
                  {gone && !isSearch && (
                    <Alert tone="warning" className="m-2">
                      {gone}
                    </Alert>
                  )}
                  {failure && (isSearch || !gone) && (
                    <Alert
                      onRetry={() => (isSearch ? search.retry() : void refetch())}
                      retrying={isSearch ? search.fetching : isFetching}
                      className="m-2"
                    >
                      {messageOf(failure, d.foldersFailed)}
                    </Alert>
                  )}
                  {folders.map((folder) => (
                    <li key={folder.id}>
                      <button
                        type="button"
                        disabled={excluded.has(folder.id)}
                        title={excluded.has(folder.id) ? d.notIntoItself : folder.name}
                        onClick={() => enter(folder.id)}
                        className="flex min-h-10 w-full items-center gap-2.5 px-3 py-1 text-left -outline-offset-2 hover:bg-hover disabled:pointer-events-none disabled:text-disabled pointer-coarse:min-h-11"
                      >
                        <FileGlyph
                          fileType={null}
                          size={18}
                          className={excluded.has(folder.id) ? 'opacity-40' : ''}
                        />
                        <span className="min-w-0 flex-1">
                          <span className="block truncate">{folder.name}</span>
                          {isSearch && (
                            <span className="flex text-xs text-muted">
                              <MiddleCut text={placeOfFound(folder)} />
                            </span>
                          )}
                        </span>
                        <ChevronRight aria-hidden size={14} className="text-muted" />
                      </button>
                    </li>
                  ))}
                  {!failure &&
                    (isSearch ? search.data : data && !isSearchable(wanted)) &&
                    folders.length === 0 && (
                      <li className="px-3 py-10 text-center text-muted">
                        {isSearch && d.noResults(text)}
                        {!isSearch && (wanted ? d.typeMore(SEARCH_MIN) : d.noFoldersIn(folderName))}
                      </li>
                    )}
                </ul>
                {!isUnusable && props.moved && <MoveEffect items={props.moved} to={folderId} />}
              </div>
            </div>
          </DialogBody>
          <DialogFooter>
            <Button onPress={onClose}>{common.cancel}</Button>
            <Button type="submit" variant="primary" busy={busy} isDisabled={isCurrent || isUnusable}>
              <span className="max-w-58 truncate">
                {isCurrent ? (props.currentLabel ?? d.alreadyHere) : label(folderName)}
              </span>
            </Button>
          </DialogFooter>
        </form>
      </Dialog>
      {creating && (
        <OneFieldDialog
          title={d.newFolderIn(folderName)}
          field={{ name: 'name', label: common.name, placeholder: t.untitledFolder, maxLength: 255 }}
          initial={wanted}
          required={t.folderNameRequired}
          action={t.create}
          onSave={create}
          failed={t.folderFailed}
          isCatchAll
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}
