import type { ReactNode } from 'react';
import type { FileKind } from '#server/documents/contract.ts';
import { FILE_GROUPS } from '#server/documents/contract.ts';
import * as t from '#messages/documents.ts';
import * as common from '#messages/common.ts';
import { ClientFilter } from '../../components/ClientFilter.tsx';
import { DaysFilter } from '../../components/DaysFilter.tsx';
import { MoreFilters } from '../../components/MoreFilters.tsx';
import { PersonFilter } from '../../components/PersonFilter.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Select } from '../../components/Select.tsx';
import { GROUP_NAMES } from '../../lib/fileGroup.ts';
import { Checkbox } from '../../components/Checkbox.tsx';
import { LabelFilter } from '../labels/LabelFilter.tsx';
import type { Filters } from './filters.ts';

export interface FilterBarProps {
  filters: Filters;
  change: (part: Partial<Filters>) => void;
  owners: readonly { value: number; label: string }[];
  now: number;
  /** Shown at the end of the bar. */
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

export function FilterBar({ filters, change, owners, now, after }: FilterBarProps) {
  const { search, group, client, clientName, owner, label, from, to, new: fresh, sent_back } = filters;
  return (
    <div className="flex w-full flex-wrap items-center gap-2" role="search" aria-label={common.filters}>
      <SearchField
        label={t.searchFiles}
        placeholder={t.searchPlaceholder}
        value={search}
        onChange={(text) => change({ search: text })}
        className="min-w-0 flex-1 sm:w-full sm:flex-none lg:w-64"
      />
      <MoreFilters count={[group, client, owner, label, fresh, sent_back, from || to].filter(Boolean).length}>
        <Select
          label={t.type}
          hideLabel
          options={KINDS}
          value={group || ANY}
          onChange={(key) => change({ group: key === ANY ? '' : (key as FileKind) })}
          className="min-w-max flex-1 lg:w-36 lg:flex-none"
        />
        <ClientFilter client={client} clientName={clientName} onChange={change} />
        <PersonFilter
          label={t.owner}
          everybody={t.allOwners}
          people={owners}
          value={owner}
          onChange={(chosen) => change({ owner: chosen })}
        />
        <LabelFilter value={label} onChange={(chosen) => change({ label: chosen })} />
        <Checkbox isSelected={fresh === '1'} onChange={(on) => change({ new: on ? '1' : '' })}>
          {t.newOnly}
        </Checkbox>
        <Checkbox isSelected={sent_back === '1'} onChange={(on) => change({ sent_back: on ? '1' : '' })}>
          {t.sentBackOnly}
        </Checkbox>
        <DaysFilter from={from} to={to} onChange={change} now={now} />
      </MoreFilters>
      {after}
    </div>
  );
}
