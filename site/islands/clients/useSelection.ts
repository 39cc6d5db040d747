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

/** The selection after Select all. Clients of `before` that were unticked while the others were loading stay so. */
export function chooseAll(chosen: Chosen, matching: Chosen, before: Chosen): Chosen {
  const unticked = (id: number) => before.has(id) && !chosen.has(id);
  return new Map([...chosen, ...[...matching].filter(([id]) => !unticked(id))]);
}

/** The selected clients; null outside selection mode. The selection survives a change of filters. */
export function useSelection(order: readonly One[]) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [loading, setLoading] = useState(false);
  const last = useRef<number | null>(null);
  /** The number of the latest call of `all`; an earlier one, or one of a selection that was left, changes nothing more. */
  const latestAll = useRef(0);
  const start = (first: Chosen | null) => {
    latestAll.current += 1;
    last.current = null;
    setLoading(false);
    setChosen(first);
  };
  return {
    chosen,
    loading,
    begin: () => start(new Map()),
    end: () => start(null),
    pick(id: number, on: boolean, extend: boolean) {
      const from = extend ? last.current : null;
      last.current = id;
      setChosen((old) => old && choose(old, order, id, { on, from }));
    },
    /** Selects all clients that match the filter, loaded or not. */
    async all(view: View) {
      latestAll.current += 1;
      const call = latestAll.current;
      const isLatest = () => latestAll.current === call;
      const before = chosen ?? new Map<number, string>();
      setLoading(true);
      try {
        const matching = new Map<number, string>();
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page = await calls.list({ ...queryOf(view), limit: PAGE_SIZE, ...(cursor && { cursor }) });
          if (!isLatest()) return;
          for (const { id, name } of page.data) matching.set(id, name);
          cursor = page.next_cursor;
        }
        setChosen((old) => old && chooseAll(old, matching, before));
      } catch (error) {
        if (isLatest()) toast.error(messageOf(error, t.loadFailed));
      }
      if (isLatest()) setLoading(false);
    },
  };
}
export type Selecting = ReturnType<typeof useSelection>;
