import './clients.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Users } from 'lucide-react';
import type { ClientPage, ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { sendByHand } from '#messages/requests.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { messageOf } from '../../lib/apiError.ts';
import { formatCount } from '../../lib/format.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { toast } from '../../lib/toast.ts';
import { useMay } from '../../lib/useMay.ts';
import { queryClientFor, firstPage } from '../../lib/cache.ts';
import { calls, readClientId } from './calls.ts';
import type { ClientAction } from './ClientMenu.tsx';
import type { OpenDialog } from './ClientsBar.tsx';
import { ClientsBar } from './ClientsBar.tsx';
import { Counters } from './Filters.tsx';
import { Rows } from './Rows.tsx';
import type { View } from './useClients.ts';
import { DEFAULT_FILTERS, clientsKey, isFiltered, useClients } from './useClients.ts';
import { useRemoveClient } from './useRemoveClient.ts';
import { useClientShortcuts } from './useClientShortcuts.ts';
import { useScrollRestoration } from './useScrollRestoration.ts';
import { useSelection } from './useSelection.ts';

const ClientDialog = lazyWithRetry(() => import('./ClientDialog.tsx'));
const ImportDialog = lazyWithRetry(() => import('./ImportDialog.tsx'));
const AccessDialog = lazyWithRetry(() => import('../access/AccessDialog.tsx'));
const AskDialog = lazyWithRetry(() => import('../request-dialogs/AskDialog.tsx'));
const TemplatesDialog = lazyWithRetry(() => import('../templates/TemplatesDialog.tsx'));

export interface ClientsProps {
  userId: number;
  view: View;
  first: ClientPage;
  /** Whether the user sees only clients assigned to them, so that an empty list does not mean that the firm has none. */
  assignedOnly: boolean;
  /** The dialog that the URL asks to open: a client's id, '' when the id is missing. */
  wanted: { edit: string | null; remove: string | null };
}

function ClientsIsland({ userId, ...props }: ClientsProps) {
  const [cache] = useState(() =>
    queryClientFor(userId, [{ key: clientsKey(props.view), data: firstPage(props.first) }]),
  );
  return (
    <QueryClientProvider client={cache}>
      <ClientsScreen {...props} />
    </QueryClientProvider>
  );
}

export const Clients = withErrorBoundary(ClientsIsland);

function ClientsScreen({ view: start, first, assignedOnly, wanted }: Omit<ClientsProps, 'userId'>) {
  const list = useClients(start, first);
  const { view, change, clients, totals } = list;
  const scroller = useRef<HTMLDivElement>(null);
  useScrollRestoration(scroller, clients.length);
  const [dialog, openDialog] = useState<OpenDialog | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const selecting = useSelection(clients);
  const may = useMay();
  useClientShortcuts(
    () => may('clients.write') && openDialog({ kind: 'edit', client: null }),
    selecting.chosen && { all: () => void selecting.all(view), leave: selecting.end },
  );
  const filtered = isFiltered(view);

  const edit = async (id: string | number | null) => {
    try {
      openDialog({ kind: 'edit', client: await calls.one(readClientId(id, t.noUpdate)) });
    } catch (error) {
      setAlert(messageOf(error, t.updateFailed));
    }
  };

  const remove = useRemoveClient(list, setAlert);
  const act = (action: ClientAction, client: ClientView) => {
    if (action === 'edit') void edit(client.id);
    else if (action === 'delete') void remove(client.id, client.name);
    else if (action === 'ask' || action === 'template') openDialog({ kind: action, clients: [client] });
    else openDialog({ kind: 'access', client });
  };

  const openWanted = useEffectEvent(() => {
    if (wanted.edit !== null) void edit(wanted.edit);
    if (wanted.remove !== null) void remove(wanted.remove);
  });
  useEffect(() => {
    const timer = setTimeout(() => openWanted());
    return () => clearTimeout(timer);
  }, []);

  return (
    <>
      <Screen
        title={t.clients}
        note={
          filtered && list.complete
            ? t.clientsOf(formatCount(clients.length), t.clientCount(totals.total))
            : t.clientCount(totals.total)
        }
        beside={<Counters totals={totals} view={view} change={change} />}
        bar={<ClientsBar list={list} selecting={selecting} openDialog={openDialog} />}
        alerts={
          <ScreenAlerts
            alert={alert}
            onDismiss={() => setAlert(null)}
            error={list.error}
            onRetry={list.retry}
            retrying={list.fetching}
          />
        }
        scroller={scroller}
      >
        {list.loading ? (
          <LoadingRows />
        ) : clients.length === 0 && !list.error ? (
          <EmptyState
            icon={<Users size={26} />}
            title={common.noClientsFound}
            busy={list.stale}
            actions={
              isFiltered(list.shown) ? (
                <Button onPress={() => change(DEFAULT_FILTERS)}>{t.showAll}</Button>
              ) : (
                <>
                  <Button
                    data-needs="clients.write"
                    variant={assignedOnly ? 'secondary' : 'primary'}
                    onPress={() => openDialog({ kind: 'edit', client: null })}
                  >
                    {t.newClient}
                  </Button>
                  {!assignedOnly && (
                    <Button data-needs="clients.write" onPress={() => openDialog({ kind: 'import' })}>
                      {t.importList}
                    </Button>
                  )}
                </>
              )
            }
          >
            {isFiltered(list.shown) ? t.noMatch : assignedOnly ? t.noneAssigned : t.noneYet}
          </EmptyState>
        ) : (
          <Rows list={list} scroller={scroller} selecting={selecting} onAction={act} />
        )}
      </Screen>
      <ErrorBoundary fallback={null} resetKey={dialog} onError={() => openDialog(null)}>
        <Suspense fallback={null}>
          {dialog?.kind === 'edit' && (
            <ClientDialog
              client={dialog.client}
              onClose={() => openDialog(null)}
              onSaved={({ name }, isNew) => {
                openDialog(null);
                toast.success(isNew ? t.added(name) : t.updated(name));
                void list.refresh();
              }}
            />
          )}
          {dialog?.kind === 'ask' && (
            <AskDialog
              clients={dialog.clients}
              onClose={() => openDialog(null)}
              offersToShow
              onMade={({ without_email }) => {
                selecting.end();
                setAlert(without_email.length > 0 ? sendByHand(without_email.join(', ')) : null);
              }}
            />
          )}
          {dialog?.kind === 'template' && (
            <TemplatesDialog
              clients={dialog.clients}
              onClose={() => openDialog(null)}
              onDone={() => selecting.end()}
            />
          )}
          {dialog?.kind === 'access' && (
            <AccessDialog
              of={{ kind: 'client', id: dialog.client.id, name: dialog.client.name }}
              onClose={() => openDialog(null)}
            />
          )}
          {dialog?.kind === 'import' && (
            <ImportDialog onClose={() => openDialog(null)} onDone={() => void list.refresh()} />
          )}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
