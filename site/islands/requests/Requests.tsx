import { QueryClientProvider, keepPreviousData, useQuery } from '@tanstack/react-query';
import { Inbox, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
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
import { Select } from '../../components/Select.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { queryClientFor } from '../../lib/cache.ts';
import { formatCount } from '../../lib/format.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { useClock } from '../../lib/useClock.ts';
import { calls } from '../request-dialogs/calls.ts';
import { RequestLine } from './RequestLine.tsx';

const AskDialog = lazyWithRetry(() => import('../request-dialogs/AskDialog.tsx'));
const RequestDialog = lazyWithRetry(() => import('../request-dialogs/RequestDialog.tsx'));

const ANY = 'any';
const FIELD = 'min-w-[40%] flex-1 sm:w-48 sm:min-w-0 sm:flex-none';
type Scope = keyof typeof t.scopes;
const choices = (labels: Record<string, string>) =>
  Object.entries(labels).map(([id, label]) => ({ id, label }));

export interface RequestsProps {
  userId: number;
  first: RequestSummary[];
  enabled: boolean;
  /** The server's time in milliseconds. */
  now: number;
}

function RequestsIsland({ userId, ...props }: RequestsProps) {
  const [cache] = useState(() =>
    queryClientFor(userId, [{ key: ['requests', 'list', 'open'], data: props.first }]),
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
function RequestsScreen({ first, enabled, now: start }: Omit<RequestsProps, 'userId'>) {
  const now = useClock(start);
  const [scope, setScope] = useState<Scope>('open');
  const [waiting, setWaiting] = useState(ANY);
  const [client, setClient] = useState(ANY);
  const [sort, setSort] = useState<keyof typeof t.sorts>('due');
  const [open, setOpen] = useState<number | null>(null);
  const [asking, setAsking] = useState(false);
  const [withoutEmail, setWithoutEmail] = useState<string[]>([]);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['requests', 'list', scope],
    queryFn: ({ signal }) => calls.list({ state: scope }, signal),
    ...(scope === 'open' && { initialData: first }),
    placeholderData: keepPreviousData,
  });
  const all = data ?? [];
  const shown = all.filter(
    (request) =>
      (waiting === ANY || request.waiting_for === waiting) &&
      (client === ANY || String(request.client.id) === client),
  );
  if (sort === 'client') shown.sort((a, b) => a.client.name.localeCompare(b.client.name));
  /** The answer for this scope has not arrived; meanwhile the previous list is shown, unless it is empty. */
  const isPending = data === undefined || isPlaceholderData;
  const filtered = waiting !== ANY || client !== ANY;
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
            <Select
              label={t.waiting}
              hideLabel
              className={FIELD}
              options={choices(t.waitingFilter)}
              value={waiting}
              onChange={(key) => setWaiting(String(key))}
            />
            {clientsOf(all).length > 1 && (
              <Select
                label={t.client}
                hideLabel
                className={FIELD}
                options={[{ id: ANY, label: t.allClients }, ...clientsOf(all)]}
                value={client}
                onChange={(key) => setClient(String(key))}
              />
            )}
            <Select
              label={t.sort}
              hideLabel
              className={FIELD}
              options={choices(t.sorts)}
              value={sort}
              onChange={(key) => setSort(key as keyof typeof t.sorts)}
            />
            <Select
              label={t.scope}
              hideLabel
              className={FIELD}
              options={choices(t.scopes)}
              value={scope}
              onChange={(key) => setScope(key as Scope)}
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
                <Button
                  onPress={() => {
                    setWaiting(ANY);
                    setClient(ANY);
                  }}
                >
                  {t.showAll}
                </Button>
              )
            }
          >
            {filtered ? t.noMatch : t.noneYet}
          </EmptyState>
        ) : (
          <ul aria-label={t.list}>
            {shown.map((request) => (
              <RequestLine key={request.id} request={request} now={now} onOpen={() => setOpen(request.id)} />
            ))}
          </ul>
        )}
      </Screen>
      <ErrorBoundary
        fallback={null}
        resetKey={`${asking} ${open}`}
        onError={() => {
          setAsking(false);
          setOpen(null);
        }}
      >
        <Suspense fallback={null}>
          {asking && <AskDialog clients={[]} onClose={() => setAsking(false)} onMade={onCreated} />}
          {open !== null && <RequestDialog key={open} id={open} onClose={() => setOpen(null)} />}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
