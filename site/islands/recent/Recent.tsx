import '../items/items.css';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Clock, Lightbulb } from 'lucide-react';
import type { RecentView } from '#server/documents/contract.ts';
import * as t from '#messages/recent.ts';
import * as common from '#messages/common.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { Button } from '../../components/Button.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { buttonClass } from '../../components/buttonClass.ts';
import { toggleTips } from '../../lib/preferences.ts';
import { queryClientFor } from '../../lib/cache.ts';
import { resultsHref } from '../../lib/search.ts';
import { useClock } from '../../lib/useClock.ts';
import { MANY_FOLDERS } from '../items/columns.ts';
import { Details, DetailsButton } from '../details/Details.tsx';
import { ItemScreen } from '../items/ItemScreen.tsx';
import { Layers } from '../layers/Layers.tsx';
import { useFlatList } from '../items/useFlatList.ts';
import type { Entry } from './groups.ts';
import { groupByUpload } from './groups.ts';
import { BatchRow, Item } from './RecentRow.tsx';
import { Tips } from './Tips.tsx';

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

function matches({ name, client_name }: RecentView, search: string): boolean {
  const text = `${name}\n${client_name ?? ''}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function RecentScreen({ first, preview, now: start }: Omit<RecentProps, 'userId'>) {
  const [search, setSearch] = useState('');
  const now = useClock(start);
  const query = useQuery({
    queryKey: RECENT_KEY,
    queryFn: ({ signal }) =>
      api.get<RecentView[]>('/api/dashboard/recent-files', { query: { limit: 100 }, signal }),
    initialData: first,
  });
  const all = query.data;
  const items = useMemo(
    () => (search.trim() ? all.filter((item) => matches(item, search.trim())) : all),
    [all, search],
  );
  const { error, isFetching } = query;
  const model = useFlatList({ items, ready: true, layout: MANY_FOLDERS, previewId: preview, address });
  const { alert, setAlert } = model;

  return (
    <ItemScreen model={model}>
      <Screen
        title={t.title}
        note={
          all.length > 0 && (search.trim() ? t.itemsOfAll(items.length, all.length) : t.itemCount(all.length))
        }
        bar={
          <>
            <SearchField
              label={t.searchFiles}
              placeholder={t.searchPlaceholder}
              value={search}
              onChange={setSearch}
              className="min-w-0 flex-1 sm:w-72 sm:flex-none"
            />
            <IconButton label={common.refresh} onPress={() => void query.refetch()}>
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
                actions={
                  <>
                    <Button onPress={() => setSearch('')}>{t.showAll}</Button>
                    <a href={resultsHref(search)} className={buttonClass('secondary')}>
                      {t.searchAll}
                    </a>
                  </>
                }
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
