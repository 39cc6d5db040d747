import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { ShareSettings, ShareState } from '#server/sharing/contract.ts';
import { SHARE_STATES } from '#server/sharing/contract.ts';
import * as common from '#messages/common.ts';
import * as shell from '#messages/shell.ts';
import * as t from '#messages/sharing.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { Alert } from '../../components/Alert.tsx';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { Button } from '../../components/Button.tsx';
import { ClientPicker } from '../../components/ClientPicker.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { Select } from '../../components/Select.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { queryClientFor, refreshKeys } from '../../lib/cache.ts';
import { formatCount } from '../../lib/format.ts';
import { interceptTraversal, pushUrl } from '../../lib/browserHistory.ts';
import { useKeptFocus } from '../../lib/keptFocus.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { useClock } from '../../lib/useClock.ts';
import { useInfiniteScroll } from '../../lib/useInfiniteScroll.ts';
import { DropRow, RequestRow } from './RequestAndDropRows.tsx';
import { endActionFor, endEntries } from './endLinks.ts';
import type { Entry } from './entries.ts';
import { canEnd } from './entries.ts';
import type { Filters, Kind } from './filters.ts';
import { KINDS, NO_FILTERS, addressOf, filtersAt } from './filters.ts';
import { PortalRow } from './PortalRow.tsx';
import { ShareRow } from './ShareRow.tsx';
import type { FirstPages } from './useShared.ts';
import { initialData, useShared } from './useShared.ts';

const RequestDialog = lazyWithRetry(() => import('../request-dialogs/RequestDialog.tsx'));
const LinkDialog = lazyWithRetry(() => import('../sharing/LinkDialog.tsx'));
const DropDialog = lazyWithRetry(() => import('../sharing/DropDialog.tsx'));
const PortalDialog = lazyWithRetry(() => import('../sharing/PortalDialog.tsx'));

const ANY = 'any';
/** Distance from the end at which the next page is loaded. */
const LOAD_AHEAD_PX = 600;
const FIELD = 'min-w-[40%] flex-1 sm:w-40 sm:min-w-0 sm:flex-none';

export interface SharedProps {
  userId: number;
  filters: Filters;
  first: FirstPages;
  /** The name of the client in the filters. */
  clientName: string;
  settings: ShareSettings;
  /** Whether the user sees drop links. */
  collects: boolean;
  /** The server's time in milliseconds. */
  now: number;
}

function SharedIsland({ userId, ...props }: SharedProps) {
  const [cache] = useState(() => queryClientFor(userId, initialData(props.filters, props.first)));
  return (
    <QueryClientProvider client={cache}>
      <SharedScreen {...props} />
    </QueryClientProvider>
  );
}
export const Shared = withErrorBoundary(SharedIsland);

const clientOf = (entry: Entry) =>
  entry.kind === 'link'
    ? entry.link.client
    : entry.kind === 'drop'
      ? entry.drop.client
      : entry.kind === 'page'
        ? entry.portal.client
        : entry.request.client;

function SharedScreen({
  filters: start,
  clientName,
  settings,
  collects,
  now: renderedAt,
}: Omit<SharedProps, 'userId' | 'first'>) {
  const now = useClock(renderedAt);
  const cache = useQueryClient();
  const scroller = useRef<HTMLDivElement>(null);
  const [filters, setFilters] = useState(start);
  const [selection, setSelection] = useState<ReadonlySet<string> | 'all'>(new Set());
  const [open, setOpen] = useState<Entry | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const [loadingAll, setLoadingAll] = useState(false);
  /** How often the user has chosen since the page was opened. */
  const choices = useRef(0);
  const choose = useCallback((chosen: ReadonlySet<string>) => {
    choices.current += 1;
    setSelection(chosen);
  }, []);
  const clearSelection = useCallback(() => choose(new Set()), [choose]);
  useEffect(
    () =>
      interceptTraversal((url) => {
        if (url.pathname !== '/shared') return false;
        setFilters(filtersAt(url));
        clearSelection();
        setOpen(null);
        return true;
      }),
    [clearSelection],
  );
  const { entries, more, ended, error, fetching, refetch, loadAll } = useShared(filters, collects);
  useInfiniteScroll(scroller, more, LOAD_AHEAD_PX);
  const endable = entries.filter(canEnd);
  const selected = selection === 'all' ? endable : endable.filter(({ key }) => selection.has(key));
  const { area, remember, restore } = useKeptFocus<HTMLUListElement>();
  const change = (part: Partial<Filters>) => {
    const next = { ...filters, ...part };
    setFilters(next);
    clearSelection();
    pushUrl(addressOf(next));
  };
  const refresh = () => refreshKeys(cache, ['shares'], ['requests']);
  const filtered = Object.values(filters).some((value) => value !== '');
  const loadedClientName = entries
    .map(clientOf)
    .find((client) => String(client?.id) === filters.client)?.name;
  const clientLabel = loadedClientName ?? (filters.client === start.client && clientName ? clientName : '');

  async function end(entriesToEnd: readonly Entry[]): Promise<void> {
    remember();
    const failure = await endEntries(entriesToEnd);
    if (failure === undefined) return;
    if (failure === null) clearSelection();
    else setAlert(failure);
    await refresh();
    restore();
  }
  async function selectAll(): Promise<void> {
    if (selected.length === endable.length && ended) return clearSelection();
    setLoadingAll(true);
    const choicesBefore = choices.current;
    // A row ticked or unticked meanwhile is the later choice; a changed filter made it another list.
    if ((await loadAll()) && choices.current === choicesBefore) setSelection('all');
    setLoadingAll(false);
  }
  const select = ({ key }: Entry, on: boolean) => {
    const others = selected.map((entry) => entry.key).filter((other) => other !== key);
    choose(new Set(on ? [...others, key] : others));
  };
  const rowOf = (entry: Entry) => {
    const row = {
      key: entry.key,
      now,
      selected: selected.includes(entry),
      onSelect: (on: boolean) => select(entry, on),
    };
    const [onOpen, onEnd] = [() => setOpen(entry), () => void end([entry])];
    if (entry.kind === 'link')
      return <ShareRow {...row} key={entry.key} share={entry.link} onChange={onOpen} onRevoke={onEnd} />;
    const collected = { ...row, onOpen, onEnd };
    if (entry.kind === 'page') return <PortalRow {...collected} key={entry.key} portal={entry.portal} />;
    return entry.kind === 'drop' ? (
      <DropRow {...collected} key={entry.key} drop={entry.drop} />
    ) : (
      <RequestRow {...collected} key={entry.key} request={entry.request} />
    );
  };
  const close = () => {
    setOpen(null);
    void refresh();
  };

  return (
    <>
      <Screen
        page
        scroller={scroller}
        title={shell.shared}
        note={
          entries.length > 0 &&
          (ended ? formatCount(entries.length) : t.numberOfMore(formatCount(entries.length)))
        }
        bar={
          <div className="flex w-full flex-wrap items-center gap-2" role="search" aria-label={common.filters}>
            <Select
              label={t.kind}
              hideLabel
              className={FIELD}
              options={[
                { id: ANY, label: t.allKinds },
                ...KINDS.map((id) => ({ id: id as string, label: t.kinds[id] })),
              ]}
              value={filters.kind || ANY}
              onChange={(key) => change({ kind: key === ANY ? '' : (key as Kind) })}
            />
            <Select
              label={t.state}
              hideLabel
              className={FIELD}
              options={[
                { id: ANY, label: t.allStates },
                ...SHARE_STATES.map((id) => ({ id: id as string, label: t.states[id] })),
              ]}
              value={filters.state || ANY}
              onChange={(key) => change({ state: key === ANY ? '' : (key as ShareState) })}
            />
            <ClientPicker
              label={t.client}
              hideLabel
              placeholder={t.allClients}
              filters
              value={
                filters.client === ''
                  ? null
                  : { id: filters.client, label: clientLabel || common.clientNumber(filters.client) }
              }
              onChange={(choice) => change({ client: choice?.id ?? '' })}
              className="min-w-[40%] flex-1 sm:w-44 sm:min-w-0 sm:flex-none"
            />
            {filters.item && <Button onPress={() => change({ item: '' })}>{t.showAll}</Button>}
            {endable.length > 1 && (
              <Button busy={loadingAll} onPress={() => void selectAll()}>
                {selected.length === endable.length && ended ? t.selectNone : t.selectAll}
              </Button>
            )}
            {selected.length > 0 && (
              <Button variant="danger-quiet" onPress={() => void end(selected)}>
                {endActionFor(selected)}
              </Button>
            )}
            <IconButton label={common.refresh} onPress={refetch}>
              <RefreshIcon spinning={fetching} />
            </IconButton>
          </div>
        }
        alerts={
          <>
            {!settings.enabled && (
              <Alert tone="warning" className="mt-2">
                {t.sharingOff}
              </Alert>
            )}
            <ScreenAlerts
              alert={alert}
              onDismiss={() => setAlert(null)}
              error={error ? messageOf(error, t.loadFailed) : null}
              onRetry={refetch}
              retrying={fetching}
            />
          </>
        }
      >
        {entries.length === 0 ? (
          <EmptyState
            icon={<Share2 size={26} />}
            title={t.none}
            actions={filtered && <Button onPress={() => change(NO_FILTERS)}>{t.showAll}</Button>}
          >
            {filtered ? t.noMatch : t.noneYet}
          </EmptyState>
        ) : (
          <ul ref={area} aria-label={t.links}>
            {entries.map(rowOf)}
          </ul>
        )}
        {more && entries.length > 0 && (
          <Button className="mt-3" onPress={more}>
            {t.showMore}
          </Button>
        )}
      </Screen>
      <ErrorBoundary fallback={null} resetKey={open?.key ?? ''} onError={() => setOpen(null)}>
        <Suspense fallback={null}>
          {open?.kind === 'link' && (
            <LinkDialog
              key={open.key}
              share={open.link}
              maxDays={settings.max_days}
              onClose={close}
              onChanged={() => void refresh()}
            />
          )}
          {open?.kind === 'request' && <RequestDialog id={open.request.id} onClose={close} />}
          {open?.kind === 'drop' && <DropDialog client={open.drop.client} onClose={close} />}
          {open?.kind === 'page' && <PortalDialog client={open.portal.client} onClose={close} />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
