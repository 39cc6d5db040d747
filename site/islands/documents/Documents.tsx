import '../items/items.css';
import './files.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { Files as FilesIcon } from 'lucide-react';
import type { FilesPage } from '#server/documents/contract.ts';
import type { LabelView } from '#server/documents/labels/contract.ts';
import * as t from '#messages/documents.ts';
import * as common from '#messages/common.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { formatCount } from '../../lib/format.ts';
import { Details, DetailsButton } from '../details/Details.tsx';
import { BulkBar, SelectionStatus } from '../items/BulkBar.tsx';
import { queryClientFor, firstPage } from '../../lib/cache.ts';
import { ItemList } from '../items/ItemList.tsx';
import { ItemScreen } from '../items/ItemScreen.tsx';
import { useInfiniteScroll } from '../../lib/useInfiniteScroll.ts';
import { Hits, useFoundInside } from '../reading/Hits.tsx';
import { useItemShortcuts } from '../items/useItemShortcuts.ts';
import { labelsKey } from '../labels/calls.ts';
import { FilterBar } from './FilterBar.tsx';
import type { Filters } from './filters.ts';
import { DEFAULT_FILTERS, addressOf, isFiltered, searchOf } from './filters.ts';
import { ALL_FILES } from './columns.ts';
import { Layers } from '../layers/Layers.tsx';
import { filesKey, useFiles } from './useFiles.ts';
import { RestText } from '../items/RestText.tsx';
import { useFlatList } from '../items/useFlatList.ts';
import { useSelectAll } from '../items/useSelectAll.ts';

export interface FilesProps {
  userId: number;
  filters: Filters;
  first: FilesPage;
  preview: number | null;
  owners: readonly { value: number; label: string }[];
  /** The firm's labels. */
  labels: readonly LabelView[];
  /** The server's clock, in milliseconds. */
  now: number;
}

function DocumentsIsland({ userId, ...props }: FilesProps) {
  const [cache] = useState(() =>
    queryClientFor(userId, [
      { key: filesKey(props.filters), data: firstPage(props.first) },
      { key: labelsKey, data: props.labels },
    ]),
  );
  return (
    <QueryClientProvider client={cache}>
      <FilesScreen {...props} />
    </QueryClientProvider>
  );
}

export const Documents = withErrorBoundary(DocumentsIsland);

/** Distance from the end at which the next page is requested. */
const LOAD_MORE_PX = 3000;

function FilesScreen({
  filters: start,
  preview,
  owners,
  now,
}: Omit<FilesProps, 'userId' | 'first' | 'labels'>) {
  const files = useFiles(start);
  const { filters, change, items, total, more, stale } = files;
  const inside = searchOf(filters, owners);
  const insideMatches = useFoundInside(inside);
  const address = useCallback((previewId: number | null) => addressOf(filters, previewId), [filters]);
  const model = useFlatList({
    items,
    ready: files.ready,
    rest: files.partial
      ? { total, text: <RestText total={total} />, select: () => selectAll(), stop: files.stop }
      : undefined,
    layout: ALL_FILES,
    previewId: preview,
    address,
    sorting: { by: filters.sort, descending: filters.direction === 'desc' },
    onSort: ({ by, descending }) =>
      by !== 'owner' && change({ sort: by, direction: descending ? 'desc' : 'asc' }),
  });
  const { send } = model;
  const scroller = useRef<HTMLDivElement>(null);
  useInfiniteScroll(scroller, more, LOAD_MORE_PX);
  const { selection, selecting, alert, setAlert } = model;
  const selectAll = useSelectAll({ ...files, order: items.map(({ id }) => id), selection, send });
  const empty = items.length === 0 && !files.searching;
  const onlyInside = empty && insideMatches !== null && insideMatches.count > 0;
  const byName =
    total === null ? t.loadedFiles(formatCount(items.length), files.hasMore) : t.fileCount(total);
  const note = onlyInside ? t.insideCount(insideMatches.count, insideMatches.more) : byName;

  return (
    <ItemScreen model={model}>
      <Screen
        title={t.title}
        note={files.ready && note}
        bar={
          selecting || selection.selected.size > 0 ? (
            <BulkBar />
          ) : (
            <FilterBar
              filters={filters}
              change={change}
              owners={owners}
              now={now}
              after={
                <IconButton label={common.refresh} onPress={() => void model.refresh()}>
                  <RefreshIcon spinning={files.retrying} />
                </IconButton>
              }
            />
          )
        }
        barEnd={<DetailsButton />}
        side={<Details />}
        alerts={
          <ScreenAlerts
            alert={alert}
            onDismiss={() => setAlert(null)}
            error={files.error}
            onRetry={files.retry}
            retrying={files.retrying}
          />
        }
        scroller={scroller}
      >
        {inside !== null && <Hits key={inside} search={inside} />}
        {files.loading ? (
          <LoadingRows />
        ) : onlyInside && !files.error ? (
          <p className="px-2 text-sm text-muted">{t.noNameMatches}</p>
        ) : empty && !files.error ? (
          <EmptyState
            icon={<FilesIcon size={26} />}
            title={t.noFiles}
            busy={stale}
            actions={
              isFiltered(files.shown) ? (
                <Button onPress={() => change(DEFAULT_FILTERS)}>{t.showAll}</Button>
              ) : (
                <a href="/dashboard" className={buttonClass('primary')}>
                  {t.goToDrive}
                </a>
              )
            }
          >
            {isFiltered(files.shown) ? t.noMatch : t.noneYet}
          </EmptyState>
        ) : (
          <div className={stale ? 'opacity-60' : ''} aria-busy={stale}>
            <ItemList scroller={scroller} label={t.allFiles} />
          </div>
        )}
      </Screen>
      <SelectionStatus />
      <Layers />
      <Keys />
    </ItemScreen>
  );
}

function Keys() {
  useItemShortcuts();
  return null;
}
