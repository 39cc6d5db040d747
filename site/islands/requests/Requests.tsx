import { QueryClientProvider, keepPreviousData, useQuery } from '@tanstack/react-query';
import { Inbox, Plus } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import type { CreatedRequests, RequestSummary } from '#server/requests/contract.ts';
import * as common from '#messages/common.ts';
import * as shell from '#messages/shell.ts';
import * as t from '#messages/requests.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { Alert } from '../../components/Alert.tsx';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { Button } from '../../components/Button.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Select } from '../../components/Select.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { interceptTraversal, pushUrl, replaceUrl } from '../../lib/browserHistory.ts';
import { queryClientFor } from '../../lib/cache.ts';
import { formatCount } from '../../lib/format.ts';
import { useKeptFocus } from '../../lib/keptFocus.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { parseRequestId } from '../../lib/requestAddress.ts';
import { useClock } from '../../lib/useClock.ts';
import { useHydrated } from '../../lib/useHydrated.ts';
import { calls } from '../request-dialogs/calls.ts';
import type { Filters } from './filters.ts';
import { addressOf, filtersAt, shownOf } from './filters.ts';
import { RequestLine } from './RequestLine.tsx';

const AskDialog = lazyWithRetry(() => import('../request-dialogs/AskDialog.tsx'));
const RequestDialog = lazyWithRetry(() => import('../request-dialogs/RequestDialog.tsx'));

const ANY = 'any';
const FIELD = 'min-w-[40%] flex-1 sm:w-48 sm:min-w-0 sm:flex-none';
const choices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([id, label]) => ({ id, label }));

export interface RequestsProps {
  userId: number;
  filters: Filters;
  /** The requests in the state of the filters. */
  first: RequestSummary[];
  /** The request whose dialog is open. */
  open: number | null;
  enabled: boolean;
  /** The server's time in milliseconds. */
  now: number;
}

function RequestsIsland({ userId, ...props }: RequestsProps) {
  const [cache] = useState(() =>
    queryClientFor(userId, [{ key: ['requests', 'list', props.filters.state], data: props.first }]),
  );
  return (
    <QueryClientProvider client={cache}>
      <RequestsScreen {...props} />
    </QueryClientProvider>
  );
}
export const Requests = withErrorBoundary(RequestsIsland);

function clientsOf(all: readonly RequestSummary[]) {
  const names = new Map(all.map(({ client }) => [String(client.id), client.name]));
  return Array.from(names, ([id, label]) => ({ id, label })).toSorted((a, b) =>
    a.label.localeCompare(b.label),
  );
}

/** The list of requests with its filters. */
function RequestsScreen({
  filters: start,
  first,
  open: firstOpen,
  enabled,
  now: renderedAt,
}: Omit<RequestsProps, 'userId'>) {
  const now = useClock(renderedAt);
  const [filters, setFilters] = useState(start);
  const [open, setOpen] = useState(firstOpen);
  // Not rendered on the server: streaming a Suspense boundary needs an inline script, which the page's CSP forbids.
  const inBrowser = useHydrated();
  const { area, ...focus } = useKeptFocus<HTMLUListElement>();
  const [asking, setAsking] = useState(false);
  const [withoutEmail, setWithoutEmail] = useState<string[]>([]);
  useEffect(
    () =>
      interceptTraversal((url) => {
        if (url.pathname !== '/requests') return false;
        setFilters(filtersAt(url));
        setOpen(parseRequestId(url.search));
        return true;
      }),
    [],
  );
  /** The open request is in the address, so that Back from one of its files leads to it again. */
  const show = (id: number | null) => {
    if (id === null) focus.restore();
    else focus.remember();
    setOpen(id);
    replaceUrl(addressOf(filters, id));
  };
  const change = (part: Partial<Filters>) => {
    const next = { ...filters, ...part };
    setFilters(next);
    // Each letter of a search would be a step of Back.
    if (part.search === undefined) pushUrl(addressOf(next));
    else replaceUrl(addressOf(next));
  };
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['requests', 'list', filters.state],
    queryFn: ({ signal }) => calls.list({ state: filters.state }, signal),
    ...(filters.state === start.state && { initialData: first }),
    placeholderData: keepPreviousData,
  });
  const all = data ?? [];
  const shown = shownOf(all, filters);
  /** The answer for this scope has not arrived; meanwhile the previous list is shown, unless it is empty. */
  const isPending = data === undefined || isPlaceholderData;
  const filtered = filters.waiting !== '' || filters.client !== '' || filters.search.trim() !== '';
  const onCreated = ({ without_email }: CreatedRequests) => setWithoutEmail(without_email);

  return (
    <>
      <Screen
        page
        title={shell.requests}
        note={all.length > 0 && formatCount(shown.length)}
        bar={
          <div className="flex w-full flex-wrap items-center gap-2" role="search" aria-label={common.filters}>
            <Button
              variant="primary"
              icon={<Plus aria-hidden size={16} />}
              isDisabled={!enabled}
              onPress={() => setAsking(true)}
            >
              {t.newRequest}
            </Button>
            <SearchField
              label={t.search}
              placeholder={t.search}
              value={filters.search}
              onChange={(search) => change({ search })}
              className={FIELD}
            />
            <Select
              label={t.waiting}
              hideLabel
              className={FIELD}
              options={choices(t.waitingFilter)}
              value={filters.waiting || ANY}
              onChange={(key) => change({ waiting: key === ANY ? '' : (key as Filters['waiting']) })}
            />
            {clientsOf(all).length > 1 && (
              <Select
                label={t.client}
                hideLabel
                className={FIELD}
                options={[{ id: ANY, label: t.allClients }, ...clientsOf(all)]}
                value={filters.client || ANY}
                onChange={(key) => change({ client: key === ANY ? '' : String(key) })}
              />
            )}
            <Select
              label={t.sort}
              hideLabel
              className={FIELD}
              options={choices(t.sorts)}
              value={filters.sort}
              onChange={(key) => change({ sort: key as Filters['sort'] })}
            />
            <Select
              label={t.scope}
              hideLabel
              className={FIELD}
              options={choices(t.scopes)}
              value={filters.state}
              onChange={(key) => change({ state: key as Filters['state'] })}
            />
            <IconButton label={common.refresh} onPress={() => void refetch()}>
              <RefreshIcon spinning={isFetching} />
            </IconButton>
          </div>
        }
        alerts={
          <>
            {!enabled && (
              <Alert tone="warning" className="mt-2">
                {t.sharingOff}
              </Alert>
            )}
            {withoutEmail.length > 0 && (
              <Alert tone="warning" className="mt-2" onDismiss={() => setWithoutEmail([])}>
                {t.sendByHand(withoutEmail.join(', '))}
              </Alert>
            )}
            <ScreenAlerts
              alert={null}
              onDismiss={() => setWithoutEmail([])}
              error={error ? messageOf(error, t.loadFailed) : null}
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          </>
        }
      >
        {shown.length === 0 && isPending ? (
          !error && <LoadingRows />
        ) : shown.length === 0 ? (
          <EmptyState
            icon={<Inbox size={26} />}
            title={t.none}
            actions={
              filtered && (
                <Button onPress={() => change({ waiting: '', client: '', search: '' })}>{t.showAll}</Button>
              )
            }
          >
            {filtered ? t.noMatch : t.noneYet}
          </EmptyState>
        ) : (
          <ul ref={area} aria-label={t.list}>
            {shown.map((request) => (
              <RequestLine key={request.id} request={request} now={now} onOpen={() => show(request.id)} />
            ))}
          </ul>
        )}
      </Screen>
      <ErrorBoundary
        fallback={null}
        resetKey={`${asking} ${open}`}
        onError={() => {
          setAsking(false);
          show(null);
        }}
      >
        <Suspense fallback={null}>
          {asking && <AskDialog clients={[]} onClose={() => setAsking(false)} onMade={onCreated} />}
          {open !== null && inBrowser && <RequestDialog key={open} id={open} onClose={() => show(null)} />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
