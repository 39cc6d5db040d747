import './clients.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { CheckSquare, Download, EllipsisVertical, Upload, UserPlus, Users } from 'lucide-react';
import type { ClientPage, ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { RefreshIcon } from '../../components/RefreshIcon.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../components/Menu.tsx';
import { LoadingRows } from '../../components/LoadingRows.tsx';
import { Screen } from '../../components/Screen.tsx';
import { ScreenAlerts } from '../../components/ScreenAlerts.tsx';
import { ErrorBoundary } from '../../components/ErrorBoundary.tsx';
import { withErrorBoundary } from '../../components/withErrorBoundary.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { formatCount } from '../../lib/format.ts';
import { lazyWithRetry } from '../../lib/lazyWithRetry.ts';
import { toast } from '../../lib/toast.ts';
import { useMay } from '../../lib/useMay.ts';
import { queryClientFor, firstPage } from '../../lib/cache.ts';
import { calls, readClientId } from './calls.ts';
import { Counters, Filters } from './Filters.tsx';
import { removeClient } from './removeClient.ts';
import { Rows } from './Rows.tsx';
import type { View } from './useClients.ts';
import { DEFAULT_FILTERS, clientsKey, isFiltered, queryOf, useClients } from './useClients.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useClientShortcuts } from './useClientShortcuts.ts';
import { useScrollRestoration } from './useScrollRestoration.ts';
import { useSelection } from './useSelection.ts';

const ClientDialog = lazyWithRetry(() => import('./ClientDialog.tsx'));
const ImportDialog = lazyWithRetry(() => import('./ImportDialog.tsx'));
const AccessDialog = lazyWithRetry(() => import('../access/AccessDialog.tsx'));
const TemplatesDialog = lazyWithRetry(() => import('../templates/TemplatesDialog.tsx'));

export interface ClientsProps {
  userId: number;
  view: View;
  first: ClientPage;
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

type OpenDialog =
  | { kind: 'edit'; client: ClientView | null }
  | { kind: 'import' }
  | { kind: 'access'; client: ClientView }
  | { kind: 'template'; clients: { id: number; name: string }[] };

function ClientsScreen({ view: start, first, wanted }: Omit<ClientsProps, 'userId'>) {
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
    selecting.chosen ? selecting.end : null,
  );
  const filtered = isFiltered(view);

  const edit = async (id: string | number | null) => {
    try {
      openDialog({ kind: 'edit', client: await calls.one(readClientId(id, t.noUpdate)) });
    } catch (error) {
      setAlert(messageOf(error, t.updateFailed));
    }
  };

  const remove = async (clientId: string | number | null, name?: string) => {
    const index = clients.findIndex(({ id }) => id === clientId);
    const next = clients[index + 1] ?? clients[index - 1];
    try {
      if (!(await removeClient(readClientId(clientId, t.noDeletion), name))) return;
    } catch (error) {
      const isDeleted = error instanceof ApiError && error.status === 404;
      setAlert(isDeleted ? t.alreadyDeleted : messageOf(error, t.deleteFailed));
    }
    await list.refresh();
    // The focused row has disappeared: move the focus to the row in its place.
    const restoreFocus = (framesLeft: number): void => {
      if (document.activeElement !== document.body) {
        // The confirmation may still be closing.
        if (framesLeft > 0) requestAnimationFrame(() => restoreFocus(framesLeft - 1));
        return;
      }
      const row = document.querySelector<HTMLElement>(`[data-id="${next?.id}"] [aria-haspopup]`);
      (row ?? document.querySelector<HTMLElement>('main input[type=search]'))?.focus();
    };
    requestAnimationFrame(() => restoreFocus(30));
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
        bar={
          <>
            <Button
              data-needs="clients.write"
              variant="primary"
              icon={<UserPlus aria-hidden size={16} />}
              onPress={() => openDialog({ kind: 'edit', client: null })}
            >
              {t.newClient}
            </Button>
            <Button
              data-needs="clients.write"
              icon={<Upload aria-hidden size={16} />}
              onPress={() => openDialog({ kind: 'import' })}
              className="max-sm:hidden!"
            >
              {t.importLabel}
            </Button>
            <a
              data-needs="documents.download"
              href={exportOf(view)}
              download
              className={buttonClass('secondary', 'md', 'max-sm:hidden!')}
            >
              <Download aria-hidden size={16} />
              {t.exportLabel}
            </a>
            <span className="sm:hidden">
              <MenuTrigger>
                <IconButton label={t.more}>
                  <EllipsisVertical aria-hidden size={16} />
                </IconButton>
                <Menu>
                  {may('clients.write') && (
                    <MenuItem
                      icon={<Upload aria-hidden size={16} />}
                      onAction={() => openDialog({ kind: 'import' })}
                    >
                      {t.importLabel}
                    </MenuItem>
                  )}
                  {may('documents.download') && (
                    <MenuItem icon={<Download aria-hidden size={16} />} href={exportOf(view)} download="">
                      {t.exportLabel}
                    </MenuItem>
                  )}
                </Menu>
              </MenuTrigger>
            </span>
            <IconButton
              data-needs="documents.write"
              label={t.selectClients}
              aria-pressed={selecting.chosen !== null}
              active={selecting.chosen !== null}
              isDisabled={clients.length === 0}
              onPress={selecting.chosen ? selecting.end : selecting.begin}
            >
              <CheckSquare aria-hidden size={16} />
            </IconButton>
            <IconButton label={common.refresh} onPress={() => void list.refresh()}>
              <RefreshIcon spinning={list.fetching} />
            </IconButton>
            <Filters view={view} change={change} />
            {selecting.chosen && (
              <SelectionBar
                selecting={selecting}
                shown={list.complete ? clients.length : filtered ? null : totals.total}
                onAll={() => void selecting.all(view)}
                onTemplate={() =>
                  openDialog({
                    kind: 'template',
                    clients: Array.from(selecting.chosen ?? [], ([id, name]) => ({ id, name })),
                  })
                }
              />
            )}
          </>
        }
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
                    variant="primary"
                    onPress={() => openDialog({ kind: 'edit', client: null })}
                  >
                    {t.newClient}
                  </Button>
                  <Button data-needs="clients.write" onPress={() => openDialog({ kind: 'import' })}>
                    {t.importList}
                  </Button>
                </>
              )
            }
          >
            {isFiltered(list.shown) ? t.noMatch : t.noneYet}
          </EmptyState>
        ) : (
          <Rows
            list={list}
            scroller={scroller}
            selecting={selecting}
            onAccess={(client) => openDialog({ kind: 'access', client })}
            onTemplate={({ id, name }) => openDialog({ kind: 'template', clients: [{ id, name }] })}
            onEdit={(client) => void edit(client.id)}
            onDelete={(client) => void remove(client.id, client.name)}
          />
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

/** The URL of the export of the filtered list. */
function exportOf(view: View): string {
  const { sort: _sort, direction: _direction, ...filters } = queryOf(view);
  const active = Object.entries(filters).filter(([, value]) => value !== '');
  return `/api/clients/export?${new URLSearchParams(active)}`;
}
