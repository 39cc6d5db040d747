import type { ReactNode } from 'react';
import * as common from '#messages/common.ts';
import * as t from '#messages/trash.ts';
import { ClientPicker } from '../../components/ClientPicker.tsx';
import { MoreFilters } from '../../components/MoreFilters.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Select } from '../../components/Select.tsx';
import type { Filters } from './filters.ts';

export interface FilterBarProps {
  filters: Filters;
  change: (part: Partial<Filters>) => void;
  people: readonly { value: number; label: string }[];
  /** Stands at the end. */
  after: ReactNode;
}

const ANY = 'any';
const NOBODY = { id: 'none', label: t.noClient };

export function FilterBar({ filters, change, people, after }: FilterBarProps) {
  const { search, client, clientName, person } = filters;
  const shown =
    client === ''
      ? null
      : client === 'none'
        ? NOBODY
        : { id: client, label: clientName || t.clientNumber(client) };
  return (
    <div className="flex w-full flex-wrap items-center gap-2" role="search" aria-label={common.filters}>
      <SearchField
        label={t.search}
        placeholder={t.search}
        value={search}
        onChange={(text) => change({ search: text })}
        className="min-w-0 flex-1 sm:w-full sm:flex-none lg:w-64"
      />
      <MoreFilters count={[client, person].filter(Boolean).length}>
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
        {people.length > 1 && (
          <Select
            label={t.deletedBy}
            hideLabel
            options={[
              { id: ANY, label: t.everybody },
              ...people.map(({ value, label }) => ({ id: String(value), label })),
            ]}
            value={person || ANY}
            onChange={(key) => change({ person: key === ANY ? '' : String(key) })}
            className="min-w-[40%] flex-1 sm:min-w-24 lg:w-40 lg:flex-none"
          />
        )}
      </MoreFilters>
      {after}
    </div>
  );
}
