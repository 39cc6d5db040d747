import { useEffect, useState } from 'react';
import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { calls } from './calls.ts';

interface Numbers {
  pan: string;
  gstin: string;
}
/** Names of other clients who have these numbers. */
export type Taken = Partial<Record<keyof Numbers, string>>;

const LENGTHS = { pan: 10, gstin: 15 } as const;
const PAUSE_MS = 300;
const PAGE = 20;

/** By whom of the firm's clients, as far as the user sees them, these numbers are had already. */
export async function takenBy(id: number | null, numbers: Numbers, signal?: AbortSignal): Promise<Taken> {
  const taken: Taken = {};
  for (const key of ['pan', 'gstin'] as const) {
    const number = numbers[key];
    if (number.length !== LENGTHS[key]) continue;
    const { data } = await calls.list({ search: number, limit: PAGE }, signal);
    const other = data.find((one) => one.id !== id && one[key] === number);
    if (other) taken[key] = other.name;
  }
  return taken;
}

export const takenTexts = ({ pan, gstin }: Taken): string[] => [
  ...(gstin ? [t.hasGstin(gstin)] : []),
  ...(pan ? [t.hasPan(pan)] : []),
];

export const sameNumbers = (client: ClientView, { pan, gstin }: Numbers): boolean =>
  (client.pan ?? '') === pan && (client.gstin ?? '') === gstin;

/** As `takenBy`, while somebody types. */
export function useTaken(id: number | null, { pan, gstin }: Numbers): Taken {
  const [taken, setTaken] = useState<Taken>({});
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      takenBy(id, { pan, gstin }, stop.signal)
        .then(setTaken)
        // It is asked again on saving.
        .catch(() => {});
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, pan, gstin]);
  return taken;
}
