import type { ReactNode } from 'react';
import * as common from '#messages/common.ts';
import * as t from '#messages/trash.ts';
import { ClientFilter } from '../../components/ClientFilter.tsx';
import { MoreFilters } from '../../components/MoreFilters.tsx';
import { PersonFilter } from '../../components/PersonFilter.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import type { Filters } from './filters.ts';

export interface FilterBarProps {
  filters: Filters;
  change: (part: Partial<Filters>) => void;
  people: readonly { value: number; label: string }[];
  /** Shown at the end of the bar. */
  after: ReactNode;
}

export function FilterBar({ filters, change, people, after }: FilterBarProps) {
  const { search, client, clientName, person } = filters;
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
        <ClientFilter client={client} clientName={clientName} onChange={change} />
        <PersonFilter
          label={t.deletedBy}
          everybody={common.everybody}
          people={people}
          value={person}
          onChange={(chosen) => change({ person: chosen })}
        />
      </MoreFilters>
      {after}
    </div>
  );
}
