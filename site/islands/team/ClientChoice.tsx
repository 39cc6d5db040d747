import { useState } from 'react';
import * as common from '#messages/common.ts';
import * as t from '#messages/team.ts';
import { Alert } from '../../components/Alert.tsx';
import { Checkbox } from '../../components/Checkbox.tsx';
import { SearchField } from '../../components/SearchField.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { messageOf } from '../../lib/apiError.ts';
import type { Chosen } from './clientChoice.ts';
import { searchAvailable } from './clientChoice.ts';
import { useAvailableClients } from './useAvailableClients.ts';

/** Clients shown; the search finds the others. */
const MAX_SHOWN = 50;

export interface ClientChoiceProps {
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}

const toggled = <T,>(all: readonly T[], value: T, on: boolean): readonly T[] =>
  on ? [...all, value] : all.filter((other) => other !== value);

/** Selects the clients and groups that a person sees; those selected at first stay at the top. */
export function ClientChoice({ chosen, onChange }: ClientChoiceProps) {
  const { data, error, isFetching, refetch } = useAvailableClients();
  const [text, setText] = useState('');
  const [first] = useState(chosen);
  const matches = data && searchAvailable(data, text, first, MAX_SHOWN);
  const nothing = matches?.clients.length === 0 && matches.groups.length === 0;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{t.whichClients}</legend>
      {error && (
        <Alert onRetry={() => void refetch()} retrying={isFetching}>
          {messageOf(error, t.clientsFailed)}
        </Alert>
      )}
      <SearchField label={t.findClient} placeholder={t.findClient} value={text} onChange={setText} />
      <ul
        aria-label={t.clients}
        aria-busy={!matches && !error}
        className="h-52 overflow-y-auto rounded-md border border-line p-2"
      >
        {!matches && !error && [1, 2, 3, 4].map((line) => <Skeleton key={line} className="my-2 h-4" />)}
        {matches?.groups.map(({ name, clients }) => (
          <li key={`group ${name}`} className="py-1">
            <Checkbox
              isSelected={chosen.groups.includes(name)}
              onChange={(on) => onChange({ ...chosen, groups: toggled(chosen.groups, name, on) })}
            >
              {t.group(name)} <span className="text-muted">{t.someClients(clients)}</span>
            </Checkbox>
          </li>
        ))}
        {matches?.clients.map(({ value, label, note }) => (
          <li key={value} className="py-1">
            <Checkbox
              isSelected={chosen.clients.includes(value)}
              onChange={(on) => onChange({ ...chosen, clients: toggled(chosen.clients, value, on) })}
            >
              {label} {note && <span className="text-muted">{note}</span>}
            </Checkbox>
          </li>
        ))}
        {matches && matches.more > 0 && (
          <li className="py-1 text-sm text-muted">{t.moreClients(matches.more)}</li>
        )}
        {nothing && (
          <li className="px-1 py-6 text-center text-muted">
            {text.trim() === '' ? t.noClientsYet : common.noClientsFound}
          </li>
        )}
      </ul>
      <p className="text-sm text-muted" role="status">
        {t.chosenClients(chosen.clients.length, chosen.groups.length)}
      </p>
    </fieldset>
  );
}
