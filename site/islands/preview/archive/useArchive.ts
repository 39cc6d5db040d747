import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { PointerEvent } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { EntriesView } from '#server/archive/contract.ts';
import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/preview.ts';
import { api } from '../../../lib/api.ts';
import { ApiError, messageOf } from '../../../lib/apiError.ts';
import type { ItemListModel } from '../../items/ItemListModel.ts';
import type { Sorting } from '../../items/order.ts';
import { BY_NAME, sorted } from '../../items/order.ts';
import { useItems } from '../../items/useItems.ts';
import { useDebounced } from '../../../lib/useDebounced.ts';
import { useDelayed } from '../../../lib/useDelayed.ts';
import type { EntryItem } from './entries.ts';
import { itemsOf } from './entries.ts';
import { layoutWith } from './layout.tsx';

/** Debounce of the search, in milliseconds. */
const SETTLED = 200;
/** The first page fills a screen quickly; the others load in the background. */
const [FIRST, OTHERS] = [200, 5000];
const NONE: ReadonlySet<number> = new Set();
const isEmpty = (text: string): boolean => text === '';

/**
 * A folder of an archive, or a search in all of it, as a list of items. `onFile` is called with
 * the file that is opened or downloaded.
 */
export function useArchive(archive: ItemView, onFile: (item: EntryItem) => void) {
  const [path, setPath] = useState('');
  const [text, setText] = useState('');
  const search = useDebounced(text.trim(), SETTLED, isEmpty);
  const [sorting, setSorting] = useState<Sorting>(BY_NAME);
  const touched = useRef(false);

  const query = useInfiniteQuery({
    // Keyed as a link, so that changes in the drive do not refetch it: an archive's content is immutable.
    queryKey: ['link', archive.id, archive.modified_at, 'entries', search === '' ? path : null, search],
    queryFn: ({ pageParam, signal }) =>
      api.get<EntriesView>(`/api/documents/${archive.id}/entries`, {
        query: { path, search, offset: pageParam, limit: pageParam === 0 ? FIRST : OTHERS },
        signal,
      }),
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
  const items = useMemo(() => sorted(itemsOf(pages ?? [], archive), sorting), [pages, archive, sorting]);
  const list = useItems(items, pages !== undefined);
  const { rows, chosen, send, setSelecting } = list;
  /** The selection does not carry over to another list of entries. */
  const startAnew = () => {
    send({ type: 'restore', focus: null, selected: [] });
    setSelecting(false);
  };
  const type = (typed: string) => {
    setText(typed);
    startAnew();
  };
  const open = (to: string) => {
    setPath(to);
    type('');
  };
  const loading = useDelayed(query.isPending, 150);
  const view = pages?.at(-1);

  const layout = useMemo(() => layoutWith(onFile, search !== ''), [onFile, search]);
  const model: ItemListModel = {
    ...list,
    rows: { ...rows, ready: !hasNextPage && !isPlaceholderData },
    view: 'list',
    layout,
    sorting,
    sortBy: setSorting,
    marked: null,
    faded: NONE,
    open({ id }) {
      const item = rows.byId.get(id);
      if (!item) return;
      if (item.type === 'folder') open(item.entry.path);
      // On touch screens a tap on a file selects it; a button downloads it.
      else if (touched.current) send({ type: 'only', id });
      else onFile(item);
    },
  };

  return {
    path,
    open,
    text,
    setText: type,
    search,
    view,
    chosen,
    clear: () => send({ type: 'clear' }),
    loading,
    /** Whether the entries still belong to the previous search. */
    stale: useDelayed(isPlaceholderData, 150),
    error: query.error ? messageOf(query.error, t.openZipFailed) : null,
    /** Whether a retry would fail in the same way. */
    refused: query.error instanceof ApiError && query.error.status === 422,
    retry: () => void (pages ? fetchNextPage() : query.refetch()),
    retrying: isFetching,
    onPointerDownCapture({ pointerType }: PointerEvent) {
      touched.current = pointerType === 'touch';
    },
    model,
  };
}
