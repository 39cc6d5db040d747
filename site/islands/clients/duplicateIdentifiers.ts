import { useEffect, useState } from 'react';
import type { ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { calls } from './calls.ts';

interface Numbers {
  pan: string;
  gstin: string;
}
/** The names of other clients with the same PAN or GSTIN. */
type Duplicates = Partial<Record<keyof Numbers, string>>;

const LENGTHS = { pan: 10, gstin: 15 } as const;
const DEBOUNCE_MS = 300;
const PAGE_SIZE = 20;

/** Finds other clients that the user sees with these numbers. */
export async function findDuplicates(
  id: number | null,
  numbers: Numbers,
  signal?: AbortSignal,
): Promise<Duplicates> {
  const duplicates: Duplicates = {};
  for (const key of ['pan', 'gstin'] as const) {
    const number = numbers[key];
    if (number.length !== LENGTHS[key]) continue;
    const { data } = await calls.list({ search: number, limit: PAGE_SIZE }, signal);
    const holder = data.find((client) => client.id !== id && client[key] === number);
    if (holder) duplicates[key] = holder.name;
  }
  return duplicates;
}

export const duplicateWarnings = ({ pan, gstin }: Duplicates): string[] => [
  ...(gstin ? [t.hasGstin(gstin)] : []),
  ...(pan ? [t.hasPan(pan)] : []),
];

export const sameNumbers = (client: ClientView, { pan, gstin }: Numbers): boolean =>
  (client.pan ?? '') === pan && (client.gstin ?? '') === gstin;

/** `findDuplicates` while typing, debounced. */
export function useDuplicates(id: number | null, { pan, gstin }: Numbers): Duplicates {
  const [duplicates, setDuplicates] = useState<Duplicates>({});
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => {
      findDuplicates(id, { pan, gstin }, stop.signal)
        .then(setDuplicates)
        // Saving checks again.
        .catch(() => {});
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, pan, gstin]);
  return duplicates;
}
