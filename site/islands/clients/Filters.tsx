import type { ClientSort, ClientTotals } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import * as common from '#messages/common.ts';
import { MoreFilters } from '../../components/MoreFilters.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Select } from '../../components/Select.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import type { View } from './useClients.ts';

interface PartProps {
  view: View;
  change: (part: Partial<View>) => void;
}

/** The counts of clients; each is a button that filters the list to the counted clients. */
export function Counters({ totals, view, change }: PartProps & { totals: ClientTotals }) {
  const all = view.client_type === '' && view.status === '';
  const figures = [
    { label: t.total, count: totals.total, on: all, part: { client_type: '', status: '' } },
    {
      label: common.active,
      count: totals.active,
      on: view.status === 'Active' && view.client_type === '',
      part: { client_type: '', status: 'Active' },
    },
    {
      label: t.companies,
      count: totals.companies,
      on: view.client_type === 'Company' && view.status === '',
      part: { client_type: 'Company', status: '' },
    },
  ] as const;
  return (
    <div
      role="group"
      aria-label={t.counters}
      className="grid grid-cols-3 divide-x divide-line overflow-hidden rounded-md border border-line max-sm:mb-2 max-sm:w-full"
    >
      {figures.map(({ label, count, on, part }) => (
        <button
          key={label}
          type="button"
          aria-pressed={on}
          onClick={() => change(part)}
          className={cx(
            'flex items-baseline gap-x-1.5 px-3 py-1 text-left -outline-offset-2! pointer-coarse:min-h-11 pointer-coarse:items-center',
            on ? 'bg-accent-soft' : 'hover:bg-hover',
          )}
        >
          <span className="tabular font-semibold">{formatCount(count)}</span>
          <span className={cx('text-sm', on ? 'text-accent-text' : 'text-muted')}>{label}</span>
        </button>
      ))}
    </div>
  );
}

const ANY = 'any';
const options = (any: string, labels: Record<string, string>) => [
  { id: ANY, label: any },
  ...Object.entries(labels).map(([id, label]) => ({ id, label })),
];
const TYPES = options(t.allTypes, t.types);
const STATUSES = options(t.anyStatus, t.statuses);
const SORTS: readonly { id: ClientSort; label: string }[] = [
  { id: 'name', label: t.byName },
  { id: 'city', label: t.byCity },
  { id: 'added', label: t.newestFirst },
  { id: 'changed', label: t.lastChangedFirst },
];

export function Filters({ view, change }: PartProps) {
  const { search, client_type, status, sort } = view;
  return (
    <div className="flex flex-wrap items-center gap-2 max-lg:w-full">
      <SearchField
        label={t.searchClients}
        placeholder={t.searchPlaceholder}
        value={search}
        onChange={(text) => change({ search: text })}
        className="min-w-0 flex-1 sm:w-40 lg:w-64 lg:flex-none"
      />
      <MoreFilters count={[client_type, status].filter(Boolean).length}>
        <Select
          label={t.type}
          hideLabel
          options={TYPES}
          value={client_type || ANY}
          onChange={(key) => change({ client_type: key === ANY ? '' : (key as View['client_type']) })}
          className="min-w-0 grow basis-2/5 sm:w-36 sm:flex-none"
        />
        <Select
          label={t.status}
          hideLabel
          options={STATUSES}
          value={status || ANY}
          onChange={(key) => change({ status: key === ANY ? '' : (key as View['status']) })}
          className="min-w-0 grow basis-2/5 sm:w-32 sm:flex-none lg:w-40"
        />
        <Select
          label={t.order}
          hideLabel
          options={SORTS}
          value={sort}
          onChange={(key) => {
            const by = key as ClientSort;
            change({ sort: by, direction: by === 'added' || by === 'changed' ? 'desc' : 'asc' });
          }}
          className="min-w-0 grow basis-2/5 sm:w-40 sm:flex-none lg:w-44"
        />
      </MoreFilters>
    </div>
  );
}
