import '../items/items.css';
import './trash.css';
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { Trash2 } from 'lucide-react';
import type { TrashPage, TrashView } from '#server/documents/trash/contract.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/trash.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { queryClientFor, firstPage } from '../../lib/cache.ts';
import { formatCount } from '../../lib/format.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { isKeyboardInUse } from '../../lib/overlay.ts';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { useInfiniteScroll } from '../../lib/useInfiniteScroll.ts';
import { Details, DetailsButton } from '../details/Details.tsx';
import { SelectionStatus } from '../items/BulkBar.tsx';
import { ItemList } from '../items/ItemList.tsx';
import type { ItemListModel } from '../items/ItemListModel.ts';
import { ItemListContext } from '../items/ItemListModel.ts';
import { useItems } from '../items/useItems.ts';
import { useListFocus } from '../items/useListFocus.ts';
import { RestText } from '../items/RestText.tsx';
import { useRest } from '../items/useRest.ts';
import { useSelectAll } from '../items/useSelectAll.ts';
import type { Failures } from './actions.ts';
import { createTrashActions } from './actions.ts';
import { createLayout } from './columns.tsx';
import { FilterBar } from './FilterBar.tsx';
import type { Filters } from './filters.ts';
import { DEFAULT_FILTERS, isFiltered } from './filters.ts';
import { TrashBar } from './TrashBar.tsx';
import { createTrashMenu } from './TrashMenu.tsx';
import { trashKey, useTrash } from './useTrash.ts';

const TrashDialogs = lazyWithRetry(() => import('./TrashDialogs.tsx'));

export interface TrashProps {
  userId: number;
  filters: Filters;
  first: TrashPage;
  people: readonly { value: number; label: string }[];
}

function TrashIsland({ userId, ...props }: TrashProps) {
  const [cache] = useState(() =>
    queryClientFor(userId, [{ key: trashKey(props.filters), data: firstPage(props.first) }]),
  );
  return (
    <QueryClientProvider client={cache}>
      <TrashScreen {...props} />
    </QueryClientProvider>
  );
}

export const Trash = withErrorBoundary(TrashIsland);

/** Distance from the end at which the next page is requested. */
const LOAD_MORE_PX = 3000;
const NONE: ReadonlySet<number> = new Set();
const SORT_OF = { modified: 'deleted', name: 'name', size: 'size' } as const;
const BY_OF = { deleted: 'modified', name: 'name', size: 'size' } as const;

export type TrashDialog =
  { dialog: 'restore'; items: readonly TrashView[] } | ({ dialog: 'failures' } & Failures);

function TrashScreen({ filters: start, people }: Omit<TrashProps, 'userId' | 'first'>) {
  const trash = useTrash(start);
  const { filters, change, total, bytes, days } = trash;
  const cache = useQueryClient();
  const list = useItems(trash.items, trash.ready);
  const { send, setSelecting, selecting, selection } = list;
  const [dialog, openDialog] = useState<TrashDialog | null>(null);
  useListFocus(trash.items.length, dialog);
  const [alert, setAlert] = useState<string | null>(null);
  const selectAll = useSelectAll({ ...trash, order: list.rows.order, selection, send });
  const rest = trash.partial
    ? { total, text: <RestText total={total} />, select: selectAll, stop: trash.stop }
    : undefined;
  const withRest = useRest(list, rest);
  const restoreTo = useCallback(
    async (items: readonly TrashView[]) => openDialog({ dialog: 'restore', items: await withRest(items) }),
    [withRest],
  );
  const actions = useMemo(
    () =>
      createTrashActions({
        cache,
        withRest,
        setAlert,
        showFailures: (failures) => openDialog({ dialog: 'failures', ...failures }),
        clearSelection() {
          send({ type: 'clear' });
          setSelecting(false);
        },
      }),
    [cache, withRest, send, setSelecting],
  );
  const layout = useMemo(
    () =>
      createLayout(
        (item) => void actions.restore([item]),
        createTrashMenu(actions, (items) => void restoreTo(items)),
      ),
    [actions, restoreTo],
  );

  const model: ItemListModel = {
    ...list,
    rows: { ...list.rows, rest },
    view: 'list',
    layout,
    sorting: { by: BY_OF[filters.sort], descending: filters.direction === 'desc' },
    sortBy: ({ by, descending }) =>
      by !== 'owner' && change({ sort: SORT_OF[by], direction: descending ? 'desc' : 'asc' }),
    marked: null,
    faded: NONE,
    hasDetails: true,
    open: (item) => void actions.askAndRestore(item as TrashView),
  };
  const chosen = list.chosen;

  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || isKeyboardInUse(event.target)) return;
    const focused = selection.focus === null ? undefined : list.rows.byId.get(selection.focus);
    const targets = chosen.length > 0 ? chosen : focused ? [focused] : [];
    const all = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a';
    if (event.key === 'Delete' && targets.length > 0) void actions.deleteForever(targets);
    else if (all) send({ type: 'all', order: list.rows.order });
    else if (event.key === 'Escape' && (selection.selected.size > 0 || selecting)) {
      send({ type: 'clear' });
      setSelecting(false);
    } else return;
    event.preventDefault();
  });

  const scroller = useRef<HTMLDivElement>(null);
  useInfiniteScroll(scroller, trash.more, LOAD_MORE_PX);
  const filtered = isFiltered(filters);
  const count =
    total === null ? t.loadedItems(formatCount(trash.items.length), trash.hasMore) : t.itemCount(total);

  return (
    <ItemListContext value={model}>
      <Screen
        title={t.title}
        note={
          trash.ready &&
          [count, !filtered && bytes > 0 && t.totalSize(formatBytes(bytes))].filter(Boolean).join(' · ')
        }
        bar={
          selecting || selection.selected.size > 0 ? (
            <TrashBar actions={actions} onRestoreTo={(items) => void restoreTo(items)} />
          ) : (
            <FilterBar
              filters={filters}
              change={change}
              people={people}
              after={
                <>
                  <IconButton label={common.refresh} onPress={() => void trash.refresh()}>
                    <RefreshIcon spinning={trash.retrying} />
                  </IconButton>
                  {!filtered && (
                    <Button
                      variant="danger-quiet"
                      icon={<Trash2 aria-hidden size={16} />}
                      isDisabled={!total}
                      onPress={() => void actions.empty(total ?? 0, bytes)}
                    >
                      <span className="sm:hidden">{t.emptyShort}</span>
                      <span className="max-sm:hidden">{t.empty}</span>
                    </Button>
                  )}
                </>
              }
            />
          )
        }
        barEnd={<DetailsButton />}
        side={<Details trash />}
        alerts={
          <ScreenAlerts
            alert={alert}
            onDismiss={() => setAlert(null)}
            error={trash.error}
            onRetry={trash.retry}
            retrying={trash.retrying}
          />
        }
        scroller={scroller}
      >
        {trash.loading ? (
          <LoadingRows />
        ) : trash.items.length === 0 && !trash.error ? (
          <EmptyState
            icon={<Trash2 size={26} />}
            title={t.nothing}
            busy={trash.stale}
            actions={
              isFiltered(trash.shown) ? (
                <Button onPress={() => change(DEFAULT_FILTERS)}>{t.showAll}</Button>
              ) : (
                <a href="/dashboard" className={buttonClass('primary')}>
                  {t.goToDrive}
                </a>
              )
            }
          >
            {isFiltered(trash.shown) ? t.noMatch : days > 0 ? t.nothingAbout(days) : t.noTrash}
          </EmptyState>
        ) : (
          <div className={trash.stale ? 'opacity-60' : ''} aria-busy={trash.stale}>
            <ItemList scroller={scroller} label={t.list} />
          </div>
        )}
      </Screen>
      <SelectionStatus />
      <ErrorBoundary fallback={null} resetKey={dialog} onError={() => openDialog(null)}>
        <Suspense fallback={null}>
          {dialog && <TrashDialogs dialog={dialog} actions={actions} onClose={() => openDialog(null)} />}
        </Suspense>
      </ErrorBoundary>
    </ItemListContext>
  );
}
