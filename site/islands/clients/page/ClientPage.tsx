import './client-page.css';
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { UserX } from 'lucide-react';
import type { AccessPerson } from '#server/access/contract.ts';
import type { ClientOverview } from '#server/clients/contract.ts';
import type { RequestSummary } from '#server/requests/contract.ts';
import * as t from '#messages/clients.ts';
import { Alert } from '../../../components/Alert.tsx';
import { Badge } from '../../../components/Badge.tsx';
import { buttonClass } from '../../../components/buttonClass.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Screen } from '../../../components/Screen.tsx';
import { withErrorBoundary } from '../../../components/withErrorBoundary.tsx';
import { api } from '../../../lib/api.ts';
import { ApiError, messageOf } from '../../../lib/apiError.ts';
import { queryClientFor, refresh } from '../../../lib/cache.ts';
import { openPage } from '../../../lib/navigation.ts';
import { useClock } from '../../../lib/useClock.ts';
import { accessKey } from '../../access/calls.ts';
import { PeopleCard } from '../../access/PeopleCard.tsx';
import { removeClient } from '../removeClient.ts';
import { Actions } from './Actions.tsx';
import { Details } from './Details.tsx';
import type { OpenDialog } from './Dialogs.tsx';
import { Dialogs } from './Dialogs.tsx';
import { HoldBanner } from './HoldBanner.tsx';
import { Activity, Facts, Newest, Years } from './Figures.tsx';
import { Requests } from './Requests.tsx';

export interface ClientPageProps {
  userId: number;
  first: ClientOverview;
  /** The people who see the client's documents. */
  people: AccessPerson[];
  /** The client's open requests; null for users who do not see any. */
  requests: RequestSummary[] | null;
  /** The server's time in milliseconds. */
  now: number;
}

const keyOf = (id: number) => ['client', id] as const;

function ClientIsland({ userId, first, people, requests, now }: ClientPageProps) {
  const [cache] = useState(() =>
    queryClientFor(userId, [
      { key: keyOf(first.client.id), data: first },
      { key: accessKey({ kind: 'client', id: first.client.id }), data: people },
    ]),
  );
  return (
    <QueryClientProvider client={cache}>
      <ClientScreen first={first} people={people} requests={requests} now={now} />
    </QueryClientProvider>
  );
}

/** A client's page: details, figures, newest files, activity and actions. */
export const ClientPage = withErrorBoundary(ClientIsland);

function ClientScreen({ first, people, requests, now: start }: Omit<ClientPageProps, 'userId'>) {
  const now = useClock(start);
  const cache = useQueryClient();
  const { id } = first.client;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => api.get<ClientOverview>(`/api/clients/${id}/overview`, { signal }),
    initialData: first,
  });
  const isDeleted = error instanceof ApiError && error.status === 404;
  const { client, figures, newest, activity, hold } = data;
  const [dialog, openDialog] = useState<OpenDialog | null>(null);
  const [alert, setAlert] = useState<string | null>(null);

  // After the search has led here by keyboard, arrows scroll at once.
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, []);

  const remove = async () => {
    try {
      if (!(await removeClient(id, client.name))) return;
      // Files of other lists name the client. Not before this page is left, which would load it again.
      document.addEventListener('astro:page-load', () => void refresh(cache), { once: true });
      openPage('/clients');
    } catch (failure) {
      setAlert(messageOf(failure, t.deleteFailed));
    }
  };

  // The edit dialog stays, with what was typed: it offers to create the client again.
  if (isDeleted && dialog !== 'edit') return <ClientGone />;
  return (
    <>
      <Screen
        page
        title={client.name}
        beside={
          <span className="flex items-center gap-2">
            <Badge>{t.types[client.client_type]}</Badge>
            <Badge tone={client.status === 'Active' ? 'success' : 'neutral'}>
              {t.statuses[client.status]}
            </Badge>
          </span>
        }
        bar={
          <Actions
            client={client}
            hasFolders={figures !== null && figures.folders > 0}
            held={hold !== null}
            tell={setAlert}
            onNewFolder={() => openDialog('folder')}
            onAction={(action) => (action === 'delete' ? void remove() : openDialog(action))}
          />
        }
        alerts={
          <>
            {hold && <HoldBanner hold={hold} onLift={() => openDialog('hold')} />}
            {alert && (
              <Alert onDismiss={() => setAlert(null)} className="mb-3">
                {alert}
              </Alert>
            )}
            {error && (
              <Alert onRetry={() => void refetch()} retrying={isFetching} className="mb-3">
                {messageOf(error, t.loadFailed)}
              </Alert>
            )}
          </>
        }
      >
        <div ref={content} tabIndex={-1} className="client-page flex flex-col gap-4 pt-1 outline-none">
          {figures && <Facts figures={figures} last={activity[0]?.at ?? newest[0]?.modified_at} now={now} />}
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <div className="flex min-w-0 flex-col gap-4">
              {requests && <Requests clientId={id} first={requests} />}
              {figures && <Newest client={client} items={newest} folders={figures.folders} />}
              {figures && <Activity activity={activity} now={now} />}
            </div>
            <div className="flex min-w-0 flex-col gap-4">
              <Details client={client} onEdit={() => openDialog('edit')} />
              <PeopleCard clientId={id} first={people} onChoose={() => openDialog('people')} />
              {figures && <Years years={figures.years} />}
            </div>
          </div>
        </div>
      </Screen>
      <Dialogs open={dialog} client={client} held={hold !== null} onClose={() => openDialog(null)} />
    </>
  );
}

/** Replaces the page when the client was deleted or is no longer visible to the user. */
function ClientGone() {
  useEffect(() => void (document.title = t.clientNotFound), []);
  return (
    <EmptyState
      as="h1"
      icon={<UserX size={26} />}
      title={t.notHere}
      actions={
        <a href="/clients" className={buttonClass('secondary')}>
          {t.goToClients}
        </a>
      }
    >
      {t.notHereAbout}
    </EmptyState>
  );
}
