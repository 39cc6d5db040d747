import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { PointerEvent } from 'react';
import { useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { ApiError, messageOf } from '../../../lib/apiError.ts';
import { useDriveContext } from '../../drive/DriveContext.ts';
import type { Sorting } from '../../items/order.ts';
import { BY_NAME, sorted } from '../../items/order.ts';
import { nothing, select } from '../../items/selection.ts';
import { useDelayed } from '../../../lib/useDelayed.ts';
import { archiveCalls } from '../../archive/extractions.ts';
import type { EntryItem } from './entries.ts';
import { itemsOf } from './entries.ts';

/** Milliseconds after the last key. */
const SETTLED = 200;
/** The first part fills a screen at once, the others come in the background, until everything is there. */
const [FIRST, OTHERS] = [200, 5000];

/**
 * One folder of an archive, or what is found in all of it, with the drive's means: its rows are selected, sorted and
 * walked through as in any listing. `onFile` is told which file is opened.
 */
export function useArchive(archive: ItemView, onFile: (item: EntryItem) => void) {
  const drive = useDriveContext();
  const [path, setPath] = useState('');
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  const [sorting, setSorting] = useState<Sorting>(BY_NAME);
  const [selection, send] = useReducer(select, nothing);
  const [selecting, setSelecting] = useState(false);
  const touched = useRef(false);

  const ask = (next: { path?: string; search: string }) => {
    if (next.path !== undefined) setPath(next.path);
    setSearch(next.search);
    send({ type: 'restore', focus: null, selected: [] });
    setSelecting(false);
  };
  const look = useEffectEvent(() => ask({ search: text.trim() }));
  useEffect(() => {
    if (text.trim() === search) return undefined;
    const timer = setTimeout(look, SETTLED);
    return () => clearTimeout(timer);
  }, [text, search]);

  const query = useInfiniteQuery({
    // As with a link, what an archive holds does not change while the drive does.
    queryKey: ['link', archive.id, archive.modified_at, 'entries', search === '' ? path : null, search],
    queryFn: ({ pageParam, signal }) =>
      archiveCalls.entries(
        archive.id,
        { path, search, offset: pageParam, limit: pageParam === 0 ? FIRST : OTHERS },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const loaded = pages.reduce((sum, { entries }) => sum + entries.length, 0);
      return loaded < total ? loaded : undefined;
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const { data, hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);

  const pages = data?.pages;
  const items = useMemo(
    () => sorted(itemsOf(pages ?? [], archive), sorting) as EntryItem[],
    [pages, archive, sorting],
  );
  const order = useMemo(() => items.map(({ id }) => id), [items]);
  const byId = useMemo(() => new Map(items.map((item) => [item.id, item])), [items]);
  const chosen = useMemo(
    () => [...selection.selected].flatMap((id) => byId.get(id) ?? []),
    [selection.selected, byId],
  );
  const open = (to: string) => {
    setText('');
    ask({ path: to, search: '' });
  };
  const loading = useDelayed(query.isPending, 150);
  const view = pages?.at(-1);

  return {
    path,
    open,
    text,
    setText,
    search,
    view,
    items,
    chosen,
    clear: () => send({ type: 'clear' }),
    loading,
    /** What is shown is still the answer to the question before. */
    stale: useDelayed(isPlaceholderData, 150),
    error: query.error ? messageOf(query.error, 'Failed to open the ZIP. Please try again.') : null,
    /** Tried again, it would say the same. */
    refused: query.error instanceof ApiError && query.error.status === 422,
    retry: () => void (pages ? fetchNextPage() : query.refetch()),
    retrying: isFetching,
    onPointerDownCapture({ pointerType }: PointerEvent) {
      touched.current = pointerType === 'touch';
    },
    /** For the parts of the drive that stand within. */
    drive: {
      ...drive,
      place: { ...drive.place, search },
      listing: {
        ...drive.listing,
        items,
        order,
        byId,
        ready: !hasNextPage && !isPlaceholderData,
        rest: undefined,
      },
      selection,
      send,
      chosen,
      selecting,
      setSelecting,
      preferences: { ...drive.preferences, view: 'list' as const, sorting },
      choose: (change: { sorting?: Sorting }) => change.sorting && setSorting(change.sorting),
      marked: null,
      cut: new Map<number, ItemView>(),
      actions: {
        ...drive.actions,
        open(item: ItemView) {
          const { entry } = item as EntryItem;
          if (entry.type === 'folder') open(entry.path);
          // A finger on a file chooses it: to download it there is a button.
          else if (touched.current) send({ type: 'only', id: item.id });
          else onFile(item as EntryItem);
        },
      },
    } as typeof drive,
  };
}
