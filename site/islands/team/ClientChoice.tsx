import { useEffect, useState } from 'react';
import type { ClientOption } from '#server/clients/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/team.ts';
import { Checkbox } from '../../components/Checkbox.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';

/** Shown at once; typing finds the others. */
const SHOWN = 50;

export interface ClientChoiceProps {
  chosen: readonly number[];
  onChange: (ids: readonly number[]) => void;
}

/** The clients that somebody is to see; those that are chosen stay on top. */
export function ClientChoice({ chosen, onChange }: ClientChoiceProps) {
  const [options, setOptions] = useState<readonly ClientOption[]>([]);
  const [text, setText] = useState('');
  useEffect(() => {
    // Without the list nothing can be chosen, which the count below says.
    void api.get<ClientOption[]>('/api/clients/options').then(setOptions, () => undefined);
  }, []);

  const words = text.trim().toLowerCase();
  const found = options
    .filter(({ value, label }) => chosen.includes(value) || label.toLowerCase().includes(words))
    .toSorted((a, b) => Number(chosen.includes(b.value)) - Number(chosen.includes(a.value)))
    .slice(0, chosen.length + SHOWN);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{t.whichClients}</legend>
      <TextField label={t.findClient} value={text} onChange={setText} autoComplete="off" />
      <ul className="max-h-44 overflow-y-auto rounded-md border border-line p-2">
        {found.map(({ value, label }) => (
          <li key={value} className="py-0.5">
            <Checkbox
              isSelected={chosen.includes(value)}
              onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((id) => id !== value))}
            >
              {label}
            </Checkbox>
          </li>
        ))}
        {found.length === 0 && <li className="text-muted">{common.noClientsFound}</li>}
      </ul>
      <p className="text-sm text-muted">{t.chosenClients(chosen.length)}</p>
    </fieldset>
  );
}
