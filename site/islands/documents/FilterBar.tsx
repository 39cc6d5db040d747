import type { ReactNode } from 'react';
import type { FileKind } from '#server/documents/contract.ts';
import { FILE_GROUPS } from '#server/documents/contract.ts';
import * as t from '#messages/documents.ts';
import * as common from '#messages/common.ts';
import { ClientPicker } from '../../components/ClientPicker.tsx';
import { DaysFilter } from '../../components/DaysFilter.tsx';
import { MoreFilters } from '../../components/MoreFilters.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Select } from '../../components/Select.tsx';
import { GROUP_NAMES } from '../../lib/fileGroup.ts';
import type { Filters } from './filters.ts';

export interface FilterBarProps {
  filters: Filters;
  change: (part: Partial<Filters>) => void;
  owners: readonly { value: number; label: string }[];
  now: number;
  /** Stands at the end. */
  after: ReactNode;
}

const ANY = 'any';
const KINDS = [
  { id: ANY, label: t.allTypes },
  ...(Object.keys(FILE_GROUPS) as FileKind[]).map((kind) => ({
    id: kind as string,
    label: GROUP_NAMES[kind],
  })),
];
const NOBODY = { id: 'none', label: t.noClient };

export function FilterBar({ filters, change, owners, now, after }: FilterBarProps) {
  const { search, group, client, clientName, owner, from, to } = filters;
  const shown =
    client === ''
      ? null
      : client === 'none'
        ? NOBODY
        : { id: client, label: clientName || t.clientNumber(String(client)) };

  return (
    <div className="flex w-full flex-wrap items-center gap-2" role="search" aria-label={common.filters}>
      <SearchField
        label={t.searchFiles}
        placeholder={t.searchPlaceholder}
        value={search}
        onChange={(text) => change({ search: text })}
        className="min-w-0 flex-1 sm:w-full sm:flex-none lg:w-64"
      />
      <MoreFilters count={[group, client, owner, from || to].filter(Boolean).length}>
        <Select
          label={t.type}
          hideLabel
          options={KINDS}
          value={group || ANY}
          onChange={(key) => change({ group: key === ANY ? '' : (key as FileKind) })}
          className="min-w-max flex-1 lg:w-36 lg:flex-none"
        />
        <ClientPicker
          label={t.client}
          hideLabel
          placeholder={t.allClients}
          value={shown}
          also={[NOBODY]}
          onChange={(choice) =>
            change({
              client: choice?.id ?? '',
              clientName: choice && choice.id !== 'none' ? choice.label : '',
            })
          }
          className="min-w-32 flex-1 lg:w-44 lg:flex-none"
        />
        {owners.length > 1 && (
          <Select
            label={t.owner}
            hideLabel
            options={[
              { id: ANY, label: t.allOwners },
              ...owners.map(({ value, label }) => ({ id: String(value), label })),
            ]}
            value={owner || ANY}
            onChange={(key) => change({ owner: key === ANY ? '' : String(key) })}
            className="min-w-[40%] flex-1 sm:min-w-24 lg:w-36 lg:flex-none"
          />
        )}
        <DaysFilter from={from} to={to} onChange={change} now={now} />
      </MoreFilters>
      {after}
    </div>
  );
}
