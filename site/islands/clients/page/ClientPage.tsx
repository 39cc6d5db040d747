import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import {
  Download,
  EllipsisVertical,
  FolderOpen,
  FolderPlus,
  FolderTree,
  Gavel,
  History,
  PanelsTopLeft,
  Pencil,
  Trash2,
  Upload,
  UserX,
  Users,
} from 'lucide-react';
import type { AccessPerson } from '#server/access/contract.ts';
import type { ClientOverview } from '#server/clients/contract.ts';
import { history, whoHasAccess } from '#messages/items.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import * as holds from '#messages/holds.ts';
import { clientPage } from '#messages/portal.ts';
import { Alert } from '../../../components/Alert.tsx';
import { Badge } from '../../../components/Badge.tsx';
import { ErrorBoundary } from '../../../components/ErrorBoundary.tsx';
import { Button } from '../../../components/Button.tsx';
import { buttonClass } from '../../../components/buttonClass.ts';
import { IconButton } from '../../../components/IconButton.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '../../../components/Menu.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { Screen } from '../../../components/Screen.tsx';
import { withErrorBoundary } from '../../../components/withErrorBoundary.tsx';
import { api } from '../../../lib/api.ts';
import { ApiError, messageOf } from '../../../lib/apiError.ts';
import { queryClientFor, refresh } from '../../../lib/cache.ts';
import { lazyWithRetry } from '../../../lib/lazyWithRetry.ts';
import { openPage } from '../../../lib/navigation.ts';
import { clientFilesHref, historyHref } from '../../../lib/search.ts';
import { toast } from '../../../lib/toast.ts';
import { useMay } from '../../../lib/useMay.ts';
import { downloadClientFiles } from '../../../lib/downloadClientFiles.ts';
import { accessKey } from '../../access/calls.ts';
import { PeopleCard } from '../../access/PeopleCard.tsx';
import { removeClient } from '../removeClient.ts';
import { upload } from '../../uploads/uploads.ts';
import { Details } from './Details.tsx';
import { HoldBanner } from './HoldBanner.tsx';
import { Activity, Facts, Newest, Years } from './Figures.tsx';
import { AskButton } from './AskButton.tsx';
import { DropButton } from './DropButton.tsx';
import { ShareButton } from './ShareButton.tsx';

const ClientDialog = lazyWithRetry(() => import('../ClientDialog.tsx'));
const TemplatesDialog = lazyWithRetry(() => import('../../templates/TemplatesDialog.tsx'));
const FolderDialog = lazyWithRetry(() => import('./FolderDialog.tsx'));
const ClientPeopleDialog = lazyWithRetry(() => import('../../access/ClientPeopleDialog.tsx'));
const HoldDialog = lazyWithRetry(() => import('./HoldDialog.tsx'));
const PortalDialog = lazyWithRetry(() => import('../../sharing/PortalDialog.tsx'));
const AccessDialog = lazyWithRetry(() => import('../../access/AccessDialog.tsx'));

export interface ClientPageProps {
  userId: number;
  first: ClientOverview;
  /** The people who see the client's documents. */
  people: AccessPerson[];
  /** The server's time in milliseconds. */
  now: number;
}

const keyOf = (id: number) => ['client', id] as const;

function ClientIsland({ userId, first, people, now }: ClientPageProps) {
  const [cache] = useState(() =>
    queryClientFor(userId, [
      { key: keyOf(first.client.id), data: first },
      { key: accessKey({ kind: 'client', id: first.client.id }), data: people },
    ]),
  );
  return (
    <QueryClientProvider client={cache}>
      <ClientScreen first={first} people={people} now={now} />
    </QueryClientProvider>
  );
}

/** A client's page: details, figures, newest files, activity and actions. */
export const ClientPage = withErrorBoundary(ClientIsland);

const ICON = { size: 16, 'aria-hidden': true } as const;

function ClientScreen({ first, people, now }: Omit<ClientPageProps, 'userId'>) {
  const cache = useQueryClient();
  const { id } = first.client;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => api.get<ClientOverview>(`/api/clients/${id}/overview`, { signal }),
    initialData: first,
  });
  const isDeleted = error instanceof ApiError && error.status === 404;
  const { client, figures, newest, activity, hold } = data;
  const [dialog, openDialog] = useState<
    'template' | 'edit' | 'folder' | 'people' | 'access' | 'hold' | 'portal' | null
  >(null);
  const [alert, setAlert] = useState<string | null>(null);
  const files = useRef<HTMLInputElement>(null);
  const may = useMay();

  const remove = async () => {
    try {
      if (await removeClient(id, client.name)) openPage('/clients');
    } catch (failure) {
      setAlert(messageOf(failure, t.deleteFailed));
    }
  };
  const send = (chosen: FileList | null) => {
    const files = Array.from(chosen ?? [], (file) => ({ path: [], file }));
    if (files.length === 0) return;
    setAlert(upload({ files, emptyFolders: [], systemFiles: [] }, { parentId: null, clientId: id }));
  };

  if (isDeleted) return <ClientGone />;
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
          <>
            <Button
              data-needs="documents.write"
              variant="primary"
              icon={<Upload {...ICON} />}
              onPress={() => files.current?.click()}
            >
              {t.upload}
            </Button>
            <input
              ref={files}
              type="file"
              multiple
              tabIndex={-1}
              aria-label={t.filesFor(client.name)}
              className="sr-only"
              onChange={({ target }) => {
                send(target.files);
                target.value = '';
              }}
            />
            <Button
              data-needs="documents.write"
              icon={<FolderPlus {...ICON} />}
              onPress={() => openDialog('folder')}
            >
              {t.newFolder}
            </Button>
            <AskButton client={client} tell={setAlert} />
            <DropButton client={client} />
            {figures && figures.folders > 0 && <ShareButton client={client} tell={setAlert} />}
            <a href={clientFilesHref(client)} className={buttonClass('secondary')}>
              <FolderOpen {...ICON} className="max-sm:hidden" />
              {t.files}
            </a>
            <MenuTrigger>
              <IconButton label={t.moreActions}>
                <EllipsisVertical {...ICON} />
              </IconButton>
              <Menu>
                {may('clients.write') && (
                  <MenuItem icon={<Pencil {...ICON} />} onAction={() => openDialog('edit')}>
                    {t.edit}
                  </MenuItem>
                )}
                {may('documents.write') && (
                  <MenuItem icon={<FolderTree {...ICON} />} onAction={() => openDialog('template')}>
                    {t.applyTemplate}
                  </MenuItem>
                )}
                {may('share') && (
                  <MenuItem icon={<PanelsTopLeft {...ICON} />} onAction={() => openDialog('portal')}>
                    {clientPage}
                  </MenuItem>
                )}
                <MenuItem icon={<Users {...ICON} />} onAction={() => openDialog('access')}>
                  {whoHasAccess}
                </MenuItem>
                {may('history.read') && (
                  <MenuItem icon={<History {...ICON} />} onAction={() => openPage(historyHref('client', id))}>
                    {history}
                  </MenuItem>
                )}
                {!hold && may('retention.manage') && (
                  <MenuItem icon={<Gavel {...ICON} />} onAction={() => openDialog('hold')}>
                    {holds.place}
                  </MenuItem>
                )}
                {may('documents.download') && (
                  <MenuItem icon={<Download {...ICON} />} onAction={() => void downloadClientFiles(id)}>
                    {t.downloadAll}
                  </MenuItem>
                )}
                {may('clients.write') && <MenuSeparator />}
                {may('clients.write') && (
                  <MenuItem danger icon={<Trash2 {...ICON} />} onAction={() => void remove()}>
                    {common.remove}
                  </MenuItem>
                )}
              </Menu>
            </MenuTrigger>
            <a href="/clients" className="link ml-1 text-sm max-sm:hidden">
              {t.allClients}
            </a>
          </>
        }
        alerts={
          <>
            {hold && (
              <HoldBanner hold={hold} onLift={may('retention.manage') ? () => openDialog('hold') : null} />
            )}
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
        <div className="flex flex-col gap-4 pt-1">
          {figures && <Facts figures={figures} last={activity[0]?.at ?? newest[0]?.modified_at} now={now} />}
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <div className="flex min-w-0 flex-col gap-4">
              {figures && <Newest client={client} items={newest} />}
              {figures && <Activity activity={activity} now={now} />}
            </div>
            <div className="flex min-w-0 flex-col gap-4 max-lg:-order-1">
              <Details client={client} onEdit={() => openDialog('edit')} />
              <PeopleCard clientId={id} first={people} onChoose={() => openDialog('people')} />
              {figures && <Years years={figures.years} />}
            </div>
          </div>
        </div>
      </Screen>
      <ErrorBoundary fallback={null} resetKey={dialog} onError={() => openDialog(null)}>
        <Suspense fallback={null}>
          {dialog === 'edit' && (
            <ClientDialog
              client={client}
              onClose={() => openDialog(null)}
              onSaved={({ name }, isNew) => {
                openDialog(null);
                toast.success(isNew ? t.added(name) : t.updated(name));
                void refresh(cache);
              }}
            />
          )}
          {dialog === 'template' && <TemplatesDialog clients={[client]} onClose={() => openDialog(null)} />}
          {dialog === 'hold' && (
            <HoldDialog
              client={client}
              held={hold !== null}
              onDone={() => refresh(cache)}
              onClose={() => openDialog(null)}
            />
          )}
          {dialog === 'people' && <ClientPeopleDialog client={client} onClose={() => openDialog(null)} />}
          {dialog === 'access' && (
            <AccessDialog of={{ kind: 'client', id, name: client.name }} onClose={() => openDialog(null)} />
          )}
          {dialog === 'portal' && <PortalDialog client={client} onClose={() => openDialog(null)} />}
          {dialog === 'folder' && <FolderDialog client={client} onClose={() => openDialog(null)} />}
        </Suspense>
      </ErrorBoundary>
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
