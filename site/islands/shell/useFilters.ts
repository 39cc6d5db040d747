import { useMemo } from 'react';
import type { ClientHit } from '#server/clients/contract.ts';
import { selectableYears } from '#server/text/years.ts';
import type { PersonHit } from '#server/search/contract.ts';
import type { TypedFilter } from '#server/text/search-filters.ts';
import { readSearch, typedFilter } from '#server/text/search-filters.ts';
import * as t from '#messages/shell.ts';
import { api } from '../../lib/api.ts';
import type { Choice } from '../../lib/filterLabel.ts';
import { TYPES } from '../../lib/filterLabel.ts';
import { useDebouncedQuery } from '../../lib/useDebouncedQuery.ts';
import type { Group, Line } from './resultLines.ts';

const MAX_CHOICES = 8;
const DEBOUNCE_MS = 150;

/** The filter at the end of the text that is still being typed. */
function typing(text: string, filters: readonly TypedFilter[]): TypedFilter | null {
  const last = filters.at(-1);
  return last && last.end === text.length && !/["”]$/.test(text.slice(last.start + last.key.length + 2))
    ? last
    : null;
}

const like = (all: readonly Choice[], value: string): Choice[] => {
  const wanted = value.toLowerCase();
  return all.filter(({ value: one, label }) => `${one} ${label}`.toLowerCase().includes(wanted));
};

const noChoices = (): Promise<Choice[]> => Promise.resolve([]);

/** The filters in the search text, and completions for the one being typed. */
export function useFilters(text: string): {
  chips: TypedFilter[];
  /** The text without a filter. */
  without: (filter: TypedFilter) => string;
  completing: Group | null;
} {
  const { filters } = useMemo(() => readSearch(text), [text]);
  const open = typing(text, filters);
  const { data: clients = [] } = useDebouncedQuery<Choice[]>(open?.key === 'client' ? open.value : '', {
    name: 'clients for a filter',
    debounceMs: DEBOUNCE_MS,
    enabled: (one) => one !== '',
    load: async (search, signal) =>
      search === ''
        ? noChoices()
        : (
            await api.get<ClientHit[]>('/api/clients/look-up', {
              query: { search, limit: MAX_CHOICES },
              signal,
            })
          ).map(({ name, city, found_in }) => ({
            value: name,
            label: name,
            note: [found_in, city].filter(Boolean).join(' · '),
          })),
  });

  const { data: people = [] } = useDebouncedQuery<Choice[]>(open?.key === 'from' ? open.value : '', {
    name: 'people for a filter',
    debounceMs: DEBOUNCE_MS,
    // An empty value lists all people.
    enabled: () => open?.key === 'from',
    load: async (search, signal) =>
      (await api.get<PersonHit[]>('/api/documents/search/people', { query: { search }, signal })).map(
        ({ name }) => ({ value: name, label: name, note: '' }),
      ),
  });

  function choices(): Choice[] {
    if (!open) return [];
    if (open.key === 'from') return people;
    if (open.key === 'client') return open.value === '' ? [] : clients;
    if (open.key === 'type') return like(TYPES, open.value);
    if (open.key === 'fy')
      return like(
        // Nothing is of the next year yet.
        selectableYears(new Date())
          .slice(1)
          .map((value) => ({ value, label: `FY ${value}`, note: '' })),
        open.value,
      );
    return [];
  }

  const lines = open
    ? choices()
        .filter(({ value }) => value !== open.value)
        .slice(0, MAX_CHOICES)
        .map(({ value, label, note }): Line => ({
          kind: 'filter',
          id: `filter-${value}`,
          href: '',
          label,
          note,
          text: `${text.slice(0, open.start)}${typedFilter(open.key, value)} `,
        }))
    : [];
  return {
    chips: filters.filter((one) => one !== open && one.value !== ''),
    without: ({ start, end }) => `${text.slice(0, start)}${text.slice(end)}`.replace(/\s+/g, ' ').trimStart(),
    completing: lines.length > 0 ? { id: 'filters', name: t.choices, lines } : null,
  };
}
