import '../items/items.css';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ChevronRight, Clock, Download, Eye, FolderSearch, Info, Lightbulb, X } from 'lucide-react';
import type { RecentView } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import * as t from '#messages/recent.ts';
import * as common from '#messages/common.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { Button } from '../../components/Button.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { FileGlyph } from '../../components/FileGlyph.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { api } from '../../lib/api.ts';
import { cx } from '../../lib/cx.ts';
import { messageOf } from '../../lib/apiError.ts';
import { buttonClass } from '../../components/buttonClass.ts';
import { formatDateTime, relativeTime } from '../../lib/format.ts';
import { openDetails } from '../../lib/detailsPanel.ts';
import { may } from '../../lib/permissions.ts';
import { toggleTips } from '../../lib/preferences.ts';
import { downloadFrom } from '../../lib/download.ts';
import { highlightHref, locationLabel } from '../../lib/search.ts';
import { queryClientFor } from '../../lib/cache.ts';
import { MANY_FOLDERS, sizeText } from '../items/columns.ts';
import { Details, DetailsButton } from '../details/Details.tsx';
import { useItemScreen } from '../items/ItemListModel.ts';
import { ItemScreen } from '../items/ItemScreen.tsx';
import { documentCalls } from '../../lib/documentCalls.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { Layers } from '../layers/Layers.tsx';
import { useFlatList } from '../items/useFlatList.ts';
import type { Batch, Entry } from './groups.ts';
import { groupByUpload } from './groups.ts';
import { TypeBadge } from './TypeBadge.tsx';

export interface RecentProps {
  userId: number;
  first: RecentView[];
  preview: number | null;
  /** The server's clock in milliseconds, so that server and browser render the same texts. */
  now: number;
}

function RecentIsland({ userId, ...props }: RecentProps) {
  const [cache] = useState(() => queryClientFor(userId, [{ key: RECENT_KEY, data: props.first }]));
  return (
    <QueryClientProvider client={cache}>
      <RecentScreen {...props} />
    </QueryClientProvider>
  );
}

export const Recent = withErrorBoundary(RecentIsland);

const address = (previewId: number | null) =>
  previewId === null ? '/recent' : `/recent?preview=${previewId}`;
const RECENT_KEY = ['recent'];
const MINUTE_MS = 60_000;

function matches({ name, client_name }: RecentView, search: string): boolean {
  const text = `${name}\n${client_name ?? ''}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function RecentScreen({ first, preview, now: start }: Omit<RecentProps, 'userId'>) {
  const [search, setSearch] = useState('');
  const [now, setNow] = useState(start);
  const query = useQuery({
    queryKey: RECENT_KEY,
    queryFn: ({ signal }) =>
      api.get<RecentView[]>('/api/dashboard/recent-files', { query: { limit: 100 }, signal }),
    initialData: first,
  });
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const all = query.data;
  const items = useMemo(
    () => (search.trim() ? all.filter((item) => matches(item, search.trim())) : all),
    [all, search],
  );
  const { error, isFetching } = query;
  const model = useFlatList({ items, ready: true, layout: MANY_FOLDERS, previewId: preview, address });
  const { alert, setAlert } = model;
  const refresh = useCallback(async () => {
    await query.refetch();
    setNow(Date.now());
  }, [query]);

  return (
    <ItemScreen model={model}>
      <Screen
        title={t.title}
        note={all.length > 0 && t.itemCount(all.length)}
        bar={
          <>
            <SearchField
              label={t.searchFiles}
              placeholder={t.searchPlaceholder}
              value={search}
              onChange={setSearch}
              className="min-w-0 flex-1 sm:w-72 sm:flex-none"
            />
            <IconButton label={common.refresh} onPress={() => void refresh()}>
              <RefreshIcon spinning={isFetching} />
            </IconButton>
            <IconButton label={t.showTips} onPress={toggleTips} className="tips-hidden">
              <Lightbulb aria-hidden size={16} />
            </IconButton>
          </>
        }
        barEnd={<DetailsButton />}
        side={<Details />}
        alerts={
          <ScreenAlerts
            alert={alert}
            onDismiss={() => setAlert(null)}
            error={error && messageOf(error, t.loadFailed)}
            onRetry={() => void query.refetch()}
            retrying={isFetching}
          />
        }
      >
        <div className="flex flex-col gap-x-8 gap-y-6 xl:flex-row xl:items-start">
          <div className="min-w-0 flex-1">
            {all.length === 0 ? (
              <EmptyState
                icon={<Clock size={26} />}
                title={t.noneYet}
                actions={
                  <a href="/dashboard" className={buttonClass('primary')}>
                    {t.goToDrive}
                  </a>
                }
              >
                {t.uploadSome}
              </EmptyState>
            ) : items.length === 0 ? (
              <EmptyState
                icon={<Clock size={26} />}
                title={t.noneFound}
                actions={<Button onPress={() => setSearch('')}>{t.showAll}</Button>}
              >
                {t.tryAnother}
              </EmptyState>
            ) : (
              <ul aria-label={t.list} className="divide-y divide-line">
                {(search.trim() ? items.map(singleEntry) : groupByUpload(items)).map((entry) =>
                  entry.kind === 'batch' ? (
                    <BatchRow key={entry.id} batch={entry} now={now} />
                  ) : (
                    <Item key={entry.id} item={entry.item} now={now} />
                  ),
                )}
              </ul>
            )}
          </div>
          <Tips />
        </div>
      </Screen>
      <Layers />
    </ItemScreen>
  );
}

const singleEntry = (item: RecentView): Entry => ({ kind: 'item', id: item.id, item });

/** One line for the files of one upload, which expands to show them. */
function BatchRow({ batch: { items }, now }: { batch: Batch; now: number }) {
  const [open, setOpen] = useState(false);
  const [first] = items;
  if (!first) return null;
  const folder = first.path?.split(' / ').at(-1) || common.myDrive;
  const names = items
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ');
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-13 w-full items-center gap-3 px-2 py-1.5 text-left -outline-offset-2! hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          size={20}
          className={cx('mx-0.5 shrink-0 text-muted transition-transform', open && 'rotate-90')}
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{t.filesAdded(items.length, folder)}</span>
          <span className="block truncate text-sm text-muted">
            <span className="tabular sm:hidden">{relativeTime(first.touched_at, now)} · </span>
            {names}…
          </span>
        </span>
        <span className="tabular w-24 shrink-0 truncate text-sm text-muted max-sm:hidden">
          {relativeTime(first.touched_at, now)}
        </span>
        {/* Placeholder for the file rows' columns: size, type, buttons. */}
        <span className="w-76 shrink-0 max-sm:hidden" />
      </button>
      {open && (
        <ul aria-label={t.addedTo(folder)} className="divide-y divide-line border-t border-line pl-4">
          {items.map((item) => (
            <Item key={item.id} item={item} now={now} />
          ))}
        </ul>
      )}
    </li>
  );
}

const ICON = { size: 16, 'aria-hidden': true } as const;

function Item({ item, now }: { item: RecentView; now: number }) {
  const { open, send, selection, setAlert } = useItemScreen();
  const folder = item.type === 'folder';
  const canPreview = previewKind(item.file_type) !== null;
  const download = async () => {
    try {
      downloadFrom(await documentCalls.downloadUrl(item.id), item.name);
    } catch (error) {
      setAlert(messageOf(error, t.downloadFailed));
    }
  };
  const openPreview = async () => {
    try {
      // Requested first, so that an error is shown here and not in an empty preview.
      if (may('documents.download')) await documentCalls.downloadUrl(item.id, { inline: true });
      open(item);
    } catch (error) {
      setAlert(messageOf(error, t.previewFailed));
    }
  };
  const details = () => {
    send({ type: 'only', id: item.id });
    openDetails();
  };
  const where = locationLabel(item);
  return (
    <li
      data-id={item.id}
      data-followed
      {...{ onFocus: () => send({ type: 'focus', id: item.id }) }}
      className={cx(
        'group flex min-h-13 items-center gap-3 px-2 py-1.5 hover:bg-hover',
        selection.selected.has(item.id) && 'bg-accent-soft',
      )}
    >
      <FileGlyph fileType={folder ? null : item.file_type} size={24} className="shrink-0" />
      <div className="min-w-0 flex-1">
        <a
          href={folder ? driveHref({ folderId: item.id }) : highlightHref(item)}
          onClick={(event) => {
            if (folder || !canPreview || event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            void openPreview();
          }}
          className="flex min-w-0 rounded-xs font-medium text-text no-underline hover:underline hover:underline-offset-2"
        >
          <MiddleCut text={item.name} />
        </a>
        <p className="truncate text-sm text-muted" title={where}>
          <span className="tabular sm:hidden">
            {relativeTime(item.touched_at, now)} · {sizeText(item)}
            {item.client_name && ` · ${item.client_name}`}
          </span>
          <span className="max-sm:hidden">{where}</span>
        </p>
      </div>
      <span
        className="tabular w-24 shrink-0 truncate text-sm text-muted max-sm:hidden"
        title={formatDateTime(item.touched_at)}
      >
        {relativeTime(item.touched_at, now)}
      </span>
      <span className="tabular w-20 shrink-0 truncate text-right text-sm text-muted max-sm:hidden">
        {sizeText(item)}
      </span>
      <span className="flex w-16 shrink-0 justify-center max-sm:hidden">
        {!folder && <TypeBadge fileType={item.file_type} />}
      </span>
      <span className="flex w-34 shrink-0 justify-end gap-0.5 max-sm:w-auto">
        {!folder && (
          <>
            <a
              href={highlightHref(item)}
              aria-label={t.showNamed(item.name)}
              title={t.showInFolder}
              className="flex size-8 items-center justify-center rounded-sm text-muted hover:bg-pressed hover:text-text pointer-coarse:hidden"
            >
              <FolderSearch {...ICON} />
            </a>
            {canPreview ? (
              <IconButton
                label={t.previewNamed(item.name)}
                // Hidden on phones, where a tap on the name opens the preview.
                className="max-sm:hidden"
                onPress={() => void openPreview()}
              >
                <Eye {...ICON} />
              </IconButton>
            ) : (
              <span className="size-8 max-sm:hidden pointer-coarse:size-11" />
            )}
            <IconButton
              data-needs="documents.download"
              label={t.downloadNamed(item.name)}
              onPress={() => void download()}
            >
              <Download {...ICON} />
            </IconButton>
          </>
        )}
        <IconButton label={t.detailsOf(item.name)} onPress={details}>
          <Info {...ICON} />
        </IconButton>
      </span>
    </li>
  );
}

const Tips = () => (
  <aside
    aria-label={t.tips}
    className="tips shrink-0 rounded-lg border border-line px-4 py-3 xl:mt-1 xl:w-68"
  >
    <div className="flex items-center gap-2">
      <Lightbulb aria-hidden size={16} className="text-warning" />
      <h2 className="flex-1 text-sm font-semibold">{t.tips}</h2>
      <IconButton label={t.hideTips} size="sm" onPress={toggleTips} className="-mr-2">
        <X aria-hidden size={16} />
      </IconButton>
    </div>
    <ul className="mt-2 flex list-disc flex-col gap-1.5 pl-4 text-sm text-pretty text-muted marker:text-line-strong">
      {t.allTips.map((tip) => (
        <li key={tip}>{tip}</li>
      ))}
    </ul>
  </aside>
);
