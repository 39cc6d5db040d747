import './history.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Download, History as HistoryIcon } from 'lucide-react';
import type { AuditPage, NamedId } from '#server/audit/contract.ts';
import * as t from '#messages/history.ts';
import * as common from '#messages/common.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { Button } from '../../components/Button.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { queryClientFor, firstPage } from '../../lib/cache.ts';
import { downloadFrom } from '../../lib/download.ts';
import { toast } from '../../lib/toast.ts';
import { useClock } from '../../lib/useClock.ts';
import { useInfiniteScroll } from '../../lib/useInfiniteScroll.ts';
import { Entries } from './Entries.tsx';
import { FilterBar } from './FilterBar.tsx';
import type { Filters } from './filters.ts';
import { NO_FILTERS, exportOf, isFiltered } from './filters.ts';
import { historyKey, useHistory } from './useHistory.ts';

export interface HistoryProps {
  userId: number;
  filters: Filters;
  first: AuditPage;
  people: readonly NamedId[];
  /** The server's time in milliseconds. */
  now: number;
}

function HistoryIsland({ userId, first, ...props }: HistoryProps) {
  const [cache] = useState(() =>
    queryClientFor(userId, [{ key: historyKey(props.filters), data: firstPage(first, null) }]),
  );
  return (
    <QueryClientProvider client={cache}>
      <HistoryScreen {...props} />
    </QueryClientProvider>
  );
}

export const History = withErrorBoundary(HistoryIsland);

/** Distance from the end at which the next page is loaded. */
const LOAD_AHEAD_PX = 2000;

function HistoryScreen({ filters: start, people, now: drawn }: Omit<HistoryProps, 'userId' | 'first'>) {
  const now = useClock(drawn);
  const { filters, change, entries, shown, names, more, ended, loading, stale, ...load } = useHistory(start);
  const scroller = useRef<HTMLDivElement>(null);
  useInfiniteScroll(scroller, more, LOAD_AHEAD_PX);
  const filtered = isFiltered(shown);
  const download = () => {
    downloadFrom(exportOf(filters));
    toast.success(t.exportBegun, { description: t.exportBegunAbout });
  };

  return (
    <Screen
      page
      title={t.title}
      scroller={scroller}
      bar={
        <FilterBar
          filters={filters}
          change={change}
          people={people}
          names={names}
          now={now}
          after={
            <>
              <Button icon={<Download aria-hidden size={16} />} aria-label={t.exportAbout} onPress={download}>
                {t.exportCsv}
              </Button>
              <IconButton label={common.refresh} onPress={load.retry}>
                <RefreshIcon spinning={load.retrying} />
              </IconButton>
            </>
          }
        />
      }
      alerts={
        <ScreenAlerts
          alert={null}
          onDismiss={() => {}}
          error={load.error}
          onRetry={load.retry}
          retrying={load.retrying}
        />
      }
    >
      {loading ? (
        <LoadingRows />
      ) : entries.length === 0 && !load.error ? (
        <EmptyState
          icon={<HistoryIcon size={26} />}
          title={t.none}
          busy={stale}
          actions={filtered && <Button onPress={() => change(NO_FILTERS)}>{t.showAll}</Button>}
        >
          {filtered ? t.noMatch : t.noneYet}
        </EmptyState>
      ) : (
        <div className={stale ? 'opacity-60' : ''} aria-busy={stale}>
          <Entries entries={entries} now={now} />
          {ended && !filtered && <p className="py-2 text-center text-sm text-muted">{t.beginning}</p>}
        </div>
      )}
    </Screen>
  );
}
