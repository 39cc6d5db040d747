import './clients.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, lazy, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ArrowDown, ArrowUp, Download, RotateCw, Upload, UserPlus, Users } from 'lucide-react';
import type { ClientPage, ClientSort, ClientTotals, ClientView } from '#server/clients/contract.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { ScreenHeader } from '../../components/ScreenHeader.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Select } from '../../components/Select.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { cx } from '../../lib/cx.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { toast } from '../../lib/toast.ts';
import { cacheFor } from '../drive/cache.ts';
import { LoadingRows } from '../drive/Emptiness.tsx';
import { useWindow } from '../drive/useWindow.ts';
import { NO_DELETION, NO_UPDATE, calls, readClientId } from './calls.ts';
import { ClientRow } from './ClientRow.tsx';
import type { View } from './useClients.ts';
import { PLAIN, addressOf, queryOf, useClients } from './useClients.ts';

const ClientDialog = lazy(() => import('./ClientDialog.tsx'));
const ImportDialog = lazy(() => import('./ImportDialog.tsx'));

export interface ClientsProps {
  userId: number;
  view: View;
  first: ClientPage;
  /** What the address asks to be done: a client's id, or '' for none. */
  wanted: { edit: string | null; remove: string | null };
}

export function Clients({ userId, ...props }: ClientsProps) {
  const [cache] = useState(() => cacheFor(userId));
  return (
    <QueryClientProvider client={cache}>
      <Screen {...props} />
    </QueryClientProvider>
  );
}

type Asking = { dialog: 'edit'; client: ClientView | null } | { dialog: 'import' };

function Screen({ view: start, first, wanted }: Omit<ClientsProps, 'userId'>) {
  const list = useClients(start, first);
  const { view, change, clients, totals } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const [asking, ask] = useState<Asking | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const filtered = addressOf({ ...view, sort: 'name', direction: 'asc' }) !== '/clients';

  const edit = async (id: string | number | null) => {
    try {
      ask({ dialog: 'edit', client: await calls.one(readClientId(id, NO_UPDATE)) });
    } catch (error) {
      setAlert(messageOf(error, 'Failed to update client. Please try again.'));
    }
  };

  const remove = async (given: string | number | null, name?: string) => {
    try {
      const id = readClientId(given, NO_DELETION);
      const [{ files, folders }, called] = await Promise.all([
        calls.tied(id),
        name ?? calls.one(id).then((one) => one.name),
      ]);
      const tied = [files > 0 && plural(files, 'file'), folders > 0 && plural(folders, 'folder')]
        .filter(Boolean)
        .join(' and ');
      const body = tied
        ? `${tied} ${files + folders === 1 ? 'is' : 'are'} filed under this client. Nothing of it is deleted: it stays where it is and belongs to no client. This action cannot be undone.`
        : 'No files are filed under this client. This action cannot be undone.';
      if (
        !(await confirm({ title: `Delete '${called}'?`, body, action: `Delete '${called}'`, danger: true }))
      )
        return;
      await calls.remove(id);
      toast.success(`'${called}' deleted`, tied ? { description: `${tied} untied.` } : {});
    } catch (error) {
      const gone = error instanceof ApiError && error.status === 404;
      setAlert(
        gone
          ? 'This client was deleted already.'
          : messageOf(error, 'Failed to delete client. Please try again.'),
      );
    }
    await list.refresh();
  };

  const doWanted = useEffectEvent(() => {
    if (wanted.edit !== null) void edit(wanted.edit);
    if (wanted.remove !== null) void remove(wanted.remove);
  });
  useEffect(() => {
    const timer = setTimeout(() => doWanted());
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="px-4 lg:px-6">
        <ScreenHeader
          title="Clients"
          note={plural(totals.total, 'client')}
          actions={
            <>
              <IconButton label="Refresh" onPress={() => void list.refresh()}>
                <RotateCw aria-hidden size={16} className={list.fetching ? 'animate-spin' : ''} />
              </IconButton>
              <Button
                icon={<Upload aria-hidden size={16} />}
                onPress={() => ask({ dialog: 'import' })}
                className="max-sm:hidden!"
              >
                Import
              </Button>
              <a
                href={`/api/clients/export?${new URLSearchParams(exported(view))}`}
                download
                className={buttonClass('secondary', 'md', 'max-sm:hidden!')}
              >
                <Download aria-hidden size={16} />
                Export
              </a>
              <Button
                variant="primary"
                icon={<UserPlus aria-hidden size={16} />}
                onPress={() => ask({ dialog: 'edit', client: null })}
              >
                New Client
              </Button>
            </>
          }
        />
        <Counters totals={totals} view={view} change={change} />
        <Filters view={view} change={change} />
        {alert && (
          <Alert onDismiss={() => setAlert(null)} className="mb-2">
            {alert}
          </Alert>
        )}
        {list.error && (
          <Alert onRetry={list.retry} retrying={list.fetching} className="mb-2">
            {list.error}
          </Alert>
        )}
      </div>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-4 pb-6 lg:px-6" data-scroller>
        {list.loading ? (
          <LoadingRows />
        ) : clients.length === 0 && !list.error && !list.stale ? (
          <EmptyState
            icon={<Users size={26} />}
            title="No clients found"
            actions={
              filtered ? (
                <Button onPress={() => change(PLAIN)}>Show all clients</Button>
              ) : (
                <>
                  <Button variant="primary" onPress={() => ask({ dialog: 'edit', client: null })}>
                    New Client
                  </Button>
                  <Button onPress={() => ask({ dialog: 'import' })}>Import a list</Button>
                </>
              )
            }
          >
            {filtered
              ? 'No client matches the search and the filters.'
              : 'Enter your first client, or bring your list from Excel.'}
          </EmptyState>
        ) : (
          <Rows
            list={list}
            scroller={scroller}
            onEdit={(client) => void edit(client.id)}
            onDelete={(client) => void remove(client.id, client.name)}
          />
        )}
      </div>
      <Suspense fallback={null}>
        {asking?.dialog === 'edit' && (
          <ClientDialog
            client={asking.client}
            onClose={() => ask(null)}
            onSaved={({ name }, made) => {
              ask(null);
              toast.success(made ? `'${name}' added` : `'${name}' updated`);
              void list.refresh();
            }}
          />
        )}
        {asking?.dialog === 'import' && (
          <ImportDialog onClose={() => ask(null)} onDone={() => void list.refresh()} />
        )}
      </Suspense>
    </div>
  );
}

const exported = (view: View): Record<string, string> => {
  const { sort: _sort, direction: _direction, ...filters } = queryOf(view);
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
};

interface PartProps {
  view: View;
  change: (part: Partial<View>) => void;
}

/** How many there are; each figure also filters the list to those it counts. */
function Counters({ totals, view, change }: PartProps & { totals: ClientTotals }) {
  const all = view.client_type === '' && view.status === '';
  const figures = [
    { label: 'Total', count: totals.total, on: all, part: { client_type: '', status: '' } },
    {
      label: 'Active',
      count: totals.active,
      on: view.status === 'Active' && view.client_type === '',
      part: { client_type: '', status: 'Active' },
    },
    {
      label: 'Companies',
      count: totals.companies,
      on: view.client_type === 'Company' && view.status === '',
      part: { client_type: 'Company', status: '' },
    },
  ] as const;
  return (
    <div
      role="group"
      aria-label="Counters"
      className="mb-3 grid max-w-xl grid-cols-3 divide-x divide-line overflow-hidden rounded-lg border border-line"
    >
      {figures.map(({ label, count, on, part }) => (
        <button
          key={label}
          type="button"
          aria-pressed={on}
          onClick={() => change(part)}
          className={cx(
            'flex items-baseline gap-2 px-4 py-2 text-left -outline-offset-2!',
            on ? 'bg-accent-soft' : 'hover:bg-hover',
          )}
        >
          <span className="tabular text-lg font-semibold">{formatCount(count)}</span>
          <span className={cx('text-sm', on ? 'text-accent-text' : 'text-muted')}>{label}</span>
        </button>
      ))}
    </div>
  );
}

const ANY = 'any';
const options = (any: string, values: readonly string[]) => [
  { id: ANY, label: any },
  ...values.map((value) => ({ id: value, label: value })),
];
const TYPES = options('All types', ['Individual', 'Company']);
const STATUSES = options('Any status', ['Active', 'Inactive']);
const SORTS: readonly { id: ClientSort; label: string }[] = [
  { id: 'name', label: 'By name' },
  { id: 'city', label: 'By city' },
  { id: 'added', label: 'Newest first' },
  { id: 'changed', label: 'Last changed first' },
];

function Filters({ view, change }: PartProps) {
  const { search, client_type, status, sort } = view;
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2">
      <SearchField
        label="Search clients"
        placeholder="Search clients..."
        value={search}
        onChange={(text) => change({ search: text })}
        className="w-full sm:w-56 lg:w-72"
      />
      <Select
        label="Type"
        hideLabel
        options={TYPES}
        value={client_type || ANY}
        onChange={(key) => change({ client_type: key === ANY ? '' : (key as View['client_type']) })}
        className="min-w-0 flex-1 sm:w-36 sm:flex-none"
      />
      <Select
        label="Status"
        hideLabel
        options={STATUSES}
        value={status || ANY}
        onChange={(key) => change({ status: key === ANY ? '' : (key as View['status']) })}
        className="min-w-0 flex-1 sm:w-32 sm:flex-none"
      />
      <Select
        label="Order"
        hideLabel
        options={SORTS}
        value={sort}
        onChange={(key) => {
          const by = key as ClientSort;
          change({ sort: by, direction: by === 'added' || by === 'changed' ? 'desc' : 'asc' });
        }}
        className="w-44 max-sm:hidden"
      />
    </div>
  );
}

interface RowsProps {
  list: ReturnType<typeof useClients>;
  scroller: React.RefObject<HTMLDivElement | null>;
  onEdit: (client: ClientView) => void;
  onDelete: (client: ClientView) => void;
}

/** Pixels from the end at which the next page is asked for. */
const AHEAD = 2000;

function Rows({ list, scroller, onEdit, onDelete }: RowsProps) {
  const { clients, view, change, more, stale, totals } = list;
  const rows = useRef<HTMLDivElement>(null);
  const drawn = useWindow(scroller, rows, clients.length);
  useEffect(() => {
    const outer = scroller.current;
    if (!outer || !more) return undefined;
    const look = () => {
      if (outer.scrollHeight - outer.scrollTop - outer.clientHeight < AHEAD) more();
    };
    look();
    outer.addEventListener('scroll', look, { passive: true });
    return () => outer.removeEventListener('scroll', look);
  });
  const plain = addressOf({ ...view, sort: 'name', direction: 'asc' }) === '/clients';
  const turn = (by: ClientSort) =>
    change({ sort: by, direction: view.sort === by && view.direction === 'asc' ? 'desc' : 'asc' });
  const head = (by: ClientSort, label: string, className: string) => {
    const on = view.sort === by;
    const Arrow = view.direction === 'desc' ? ArrowDown : ArrowUp;
    return (
      <div
        role="columnheader"
        aria-sort={!on ? 'none' : view.direction === 'asc' ? 'ascending' : 'descending'}
        className={className}
      >
        <button
          type="button"
          onClick={() => turn(by)}
          className={cx(
            '-mx-1 inline-flex items-center gap-1 rounded-xs px-1 py-1 hover:text-text',
            on && 'text-text',
          )}
        >
          {label}
          <Arrow aria-hidden size={14} className={on ? '' : 'invisible'} />
        </button>
      </div>
    );
  };
  return (
    <div
      role="table"
      aria-label="Clients"
      aria-busy={stale}
      aria-rowcount={plain ? totals.total + 1 : clients.length + 1}
      className={stale ? 'opacity-60' : ''}
    >
      <div role="rowgroup" className="sticky top-0 z-20 bg-surface max-sm:hidden">
        <div
          role="row"
          aria-rowindex={1}
          className="client-columns h-9 border-b border-line text-sm font-medium text-muted"
        >
          {head('name', 'Name', 'min-w-0')}
          <div role="columnheader" className="client-type">
            Type
          </div>
          <div role="columnheader" className="client-phone">
            Phone
          </div>
          <div role="columnheader" className="client-email">
            Email
          </div>
          {head('city', 'City', 'client-city')}
          <div role="columnheader" className="client-pan">
            PAN
          </div>
          <div role="columnheader">Status</div>
          <div role="columnheader">
            <span className="sr-only">Actions</span>
          </div>
        </div>
      </div>
      <div ref={rows} role="rowgroup" style={drawn.padding} className="client-rows">
        {clients.slice(drawn.start, drawn.end).map((client, at) => (
          <ClientRow
            key={client.id}
            client={client}
            index={drawn.start + at}
            onEdit={onEdit}
            onDelete={onDelete}
          />
        ))}
      </div>
    </div>
  );
}
