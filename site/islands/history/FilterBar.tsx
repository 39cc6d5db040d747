import type { ReactNode } from 'react';
import { useState } from 'react';
import { X } from 'lucide-react';
import type { AuditKind, AuditPage, NamedId } from '#server/audit/contract.ts';
import { AUDIT_KINDS } from '#server/audit/contract.ts';
import * as t from '#messages/history.ts';
import * as common from '#messages/common.ts';
import { Button } from '../../components/Button.tsx';
import { ClientPicker } from '../../components/ClientPicker.tsx';
import { DaysFilter } from '../../components/DaysFilter.tsx';
import { MiddleCut } from '../../components/MiddleCut.tsx';
import { MoreFilters } from '../../components/MoreFilters.tsx';
import { PersonFilter } from '../../components/PersonFilter.tsx';
import { Select } from '../../components/Select.tsx';
import type { Filters } from './filters.ts';

export interface FilterBarProps {
  filters: Filters;
  change: (part: Partial<Filters>, how?: { typing?: boolean }) => void;
  people: readonly NamedId[];
  /** The names of the filtered client and item, as far as loaded. */
  names: Partial<AuditPage['names']>;
  now: number;
  /** Rendered after the filters. */
  after: ReactNode;
}

const ANY = 'any';
const KINDS = [
  { id: ANY, label: t.allKinds },
  ...AUDIT_KINDS.map((kind) => ({ id: kind as string, label: t.kinds[kind] })),
];
const FIELD = 'min-w-[40%] flex-1 sm:min-w-24 lg:w-44 lg:flex-none';

export function FilterBar({ filters, change, people, names, now, after }: FilterBarProps) {
  const { person, client, item, kind, from, to } = filters;
  // The name of a client that was just selected, until the response has it.
  const [picked, setPicked] = useState({ id: '', label: '' });
  const clientName =
    names.client ??
    (picked.id === client ? picked.label : names.client === null ? t.deletedClient : common.loading);
  const itemName = names.item === undefined ? common.loading : (names.item ?? t.deletedItem);
  return (
    <div className="flex w-full flex-wrap items-center gap-2" role="search" aria-label={common.filters}>
      {item && (
        <Button
          aria-label={t.endOnlyItem(itemName)}
          onPress={() => change({ item: '' })}
          className="max-w-full min-w-0 sm:max-w-80"
        >
          <span className="flex min-w-0 items-center gap-2">
            <MiddleCut text={t.onlyItem(itemName)} />
            <X aria-hidden size={14} className="shrink-0 text-muted" />
          </span>
        </Button>
      )}
      <MoreFilters count={[person, client, kind, from || to].filter(Boolean).length}>
        <PersonFilter
          label={t.person}
          everybody={common.everybody}
          people={people.map(({ id, name }) => ({ value: id, label: name }))}
          value={person}
          onChange={(chosen) => change({ person: chosen })}
        />
        <ClientPicker
          label={common.client}
          hideLabel
          placeholder={common.allClients}
          filters
          value={client === '' ? null : { id: client, label: clientName }}
          onChange={(choice) => {
            if (choice) setPicked(choice);
            change({ client: choice?.id ?? '' });
          }}
          className={FIELD}
        />
        <Select
          label={t.kind}
          hideLabel
          options={KINDS}
          value={kind || ANY}
          onChange={(key) => change({ kind: key === ANY ? '' : (key as AuditKind) })}
          className="min-w-max flex-1 lg:w-52 lg:flex-none"
        />
        <DaysFilter
          from={from}
          to={to}
          onChange={(days) => change(days, { typing: !('from' in days && 'to' in days) })}
          now={now}
        />
      </MoreFilters>
      {after}
    </div>
  );
}
