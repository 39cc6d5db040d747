import { atom } from 'nanostores';
import type { ExtractionView } from '#server/archive/contract.ts';

/** Milliseconds between two looks at what is under way. */
export const POLL_EVERY = 1000;
/** Milliseconds an ended row stays that asks nothing of anybody. */
export const DONE_STAYS = 5000;
export const POLL_FAILED = 'Failed to get extraction status';

export interface ExtractionCalls {
  start(itemId: number, wish?: { password?: string; entries?: readonly string[] }): Promise<ExtractionView>;
  status(id: number): Promise<ExtractionView>;
  running(): Promise<ExtractionView[]>;
  cancel(id: number): Promise<ExtractionView>;
}

interface Means {
  calls: ExtractionCalls;
  later?: (run: () => void, milliseconds: number) => void;
}

export const isOver = ({ status }: ExtractionView): boolean =>
  status !== 'starting' && status !== 'processing';

/** A row that somebody should read: why it failed, or what was left out. */
export const asksForReading = ({ status, skipped_count }: ExtractionView): boolean =>
  status === 'failed' || (status === 'completed' && skipped_count > 0);

/** The extractions that this tab knows of: a plain store outside any view, so that it goes on while pages change. */
export function createExtractions({ calls, later = setTimeout }: Means) {
  const $extractions = atom<readonly ExtractionView[]>([]);
  const listeners = new Set<(one: ExtractionView) => void>();

  const find = (id: number) => $extractions.get().find((one) => one.id === id);
  const drop = (id: number) => $extractions.set($extractions.get().filter((one) => one.id !== id));

  function put(next: ExtractionView): void {
    const all = $extractions.get();
    $extractions.set(find(next.id) ? all.map((one) => (one.id === next.id ? next : one)) : [...all, next]);
  }

  function follow(one: ExtractionView): void {
    if (find(one.id)) return;
    put(one);
    look(one.id);
  }

  function look(id: number): void {
    later(() => void poll(id), POLL_EVERY);
  }

  async function poll(id: number): Promise<void> {
    const before = find(id);
    if (!before || isOver(before)) return;
    let now: ExtractionView;
    try {
      now = await calls.status(id);
    } catch {
      now = { ...before, status: 'failed', message: POLL_FAILED, code: null };
    }
    if (!find(id)) return;
    put(now);
    if (!isOver(now)) return look(id);
    for (const listener of listeners) listener(now);
    if (!asksForReading(now)) later(() => drop(id), DONE_STAYS);
  }

  return {
    $extractions,

    /** Begins one. Rejects as the call does. */
    async start(
      itemId: number,
      wish: { password?: string; entries?: readonly string[] } = {},
    ): Promise<void> {
      follow(await calls.start(itemId, wish));
    },

    /** Follows one that the server began by itself, after an upload. */
    async adopt(id: number): Promise<void> {
      follow(await calls.status(id));
    },

    /** Follows what was under way before the page was loaded. */
    async resume(): Promise<void> {
      for (const one of (await calls.running()).toReversed()) follow(one);
    },

    /** Begins a failed one again, in the place of its row. Rejects as the call does. */
    async retry(id: number, password?: string): Promise<void> {
      const one = find(id);
      if (!one) return;
      const next = await calls.start(one.item_id, password === undefined ? {} : { password });
      drop(id);
      follow(next);
    },

    async cancel(id: number): Promise<void> {
      const now = await calls.cancel(id);
      if (!find(id)) return;
      put(now);
      if (isOver(now)) later(() => drop(id), DONE_STAYS);
    },

    /** Takes a row away; the work itself goes on. */
    dismiss: drop,

    /** Calls `listener` when one ends. @returns what ends the listening. */
    onEnded(listener: (one: ExtractionView) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
