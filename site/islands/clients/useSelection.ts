import { useRef, useState } from 'react';
import * as t from '#messages/clients.ts';
import { messageOf } from '../../lib/apiError.ts';
import { toast } from '../../lib/toast.ts';
import { calls } from './calls.ts';
import type { View } from './useClients.ts';
import { queryOf } from './useClients.ts';

type Chosen = ReadonlyMap<number, string>;
type One = { id: number; name: string };

const PAGE_SIZE = 200;

/** The selection after a click. With Shift (`from`), the whole range from the last click gets the state of this row. */
export function choose(
  chosen: Chosen,
  order: readonly One[],
  id: number,
  { on, from }: { on: boolean; from: number | null },
): Chosen {
  const index = order.findIndex((client) => client.id === id);
  const start = from === null ? index : order.findIndex((client) => client.id === from);
  const range = order.slice(Math.min(index, start < 0 ? index : start), Math.max(index, start) + 1);
  const next = new Map(chosen);
  for (const client of range) {
    if (on) next.set(client.id, client.name);
    else next.delete(client.id);
  }
  return next;
}

/** The selected clients; null outside selection mode. The selection survives a change of filters. */
export function useSelection(order: readonly One[]) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [loading, setLoading] = useState(false);
  const last = useRef<number | null>(null);
  return {
    chosen,
    loading,
    begin: () => setChosen(new Map()),
    end: () => {
      last.current = null;
      setChosen(null);
    },
    pick(id: number, on: boolean, extend: boolean) {
      const from = extend ? last.current : null;
      last.current = id;
      setChosen((old) => old && choose(old, order, id, { on, from }));
    },
    /** Selects all clients that match the filter, loaded or not. */
    async all(view: View) {
      setLoading(true);
      try {
        const matching = new Map<number, string>();
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page = await calls.list({ ...queryOf(view), limit: PAGE_SIZE, ...(cursor && { cursor }) });
          for (const { id, name } of page.data) matching.set(id, name);
          cursor = page.next_cursor;
        }
        setChosen((old) => old && new Map([...old, ...matching]));
      } catch (error) {
        toast.error(messageOf(error, t.loadFailed));
      }
      setLoading(false);
    },
  };
}
export type Selecting = ReturnType<typeof useSelection>;
