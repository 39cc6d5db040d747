import { useState } from 'react';
import * as t from '#messages/documents.ts';
import { periods } from '../lib/periods.ts';
import { Select } from './Select.tsx';
import { TextField } from './TextField.tsx';

export interface DaysFilterProps {
  /** `YYYY-MM-DD`, inclusive; '' for no bound. */
  from: string;
  to: string;
  onChange: (days: { from?: string; to?: string }) => void;
  /** Milliseconds since the epoch. */
  now: number;
}

const ANY = 'any';
const CUSTOM = 'custom';

/** Filters by a date range: the last days, a financial year, or two dates. */
export function DaysFilter({ from, to, onChange, now }: DaysFilterProps) {
  const presets = periods(now);
  const period = presets.find((preset) => preset.from === from && preset.to === to);
  const [custom, setCustom] = useState(!period && Boolean(from || to));
  const chosen = custom ? CUSTOM : from || to ? (period?.id ?? CUSTOM) : ANY;
  const times = [
    { id: ANY, label: t.anyTime },
    ...presets.map(({ id, label }) => ({ id, label })),
    { id: CUSTOM, label: t.betweenDays },
  ];
  const choose = (key: unknown) => {
    const preset = presets.find(({ id }) => id === key);
    setCustom(key === CUSTOM);
    if (key !== CUSTOM) onChange({ from: preset?.from ?? '', to: preset?.to ?? '' });
  };
  return (
    <>
      <Select
        label={t.time}
        hideLabel
        options={times}
        value={chosen}
        onChange={choose}
        className="min-w-max flex-1 lg:w-40 lg:flex-none"
      />
      {custom && (
        <div className="flex items-center gap-2 max-lg:w-full">
          <TextField
            label={t.from}
            hideLabel
            type="date"
            value={from}
            onChange={(day) => onChange({ from: day })}
            className="min-w-0 flex-1 sm:w-36 sm:flex-none"
          />
          <span className="text-muted">{t.to}</span>
          <TextField
            label={t.until}
            hideLabel
            type="date"
            value={to}
            onChange={(day) => onChange({ to: day })}
            className="min-w-0 flex-1 sm:w-36 sm:flex-none"
          />
        </div>
      )}
    </>
  );
}
