import { atom } from 'nanostores';
import type { ExtractionView } from '#server/archive/contract.ts';
import { isOver } from '#server/jobs/contract.ts';
import * as t from '#messages/archive.ts';

/** Milliseconds between two looks at what is under way. */
export const POLL_EVERY = 1000;
/** Milliseconds an ended row stays that asks nothing of anybody. */
export const DONE_STAYS = 5000;
export const POLL_FAILED = t.statusFailed;
export const CANCELLING = t.cancelling;

export interface ExtractionRequest {
  password?: string;
  entries?: readonly string[];
  /** The extraction whose request this repeats. */
  again?: number;
}

export interface ExtractionCalls {
  start(itemId: number, request?: ExtractionRequest): Promise<ExtractionView>;
  status(id: number): Promise<ExtractionView>;
  running(): Promise<ExtractionView[]>;
  cancel(id: number): Promise<ExtractionView>;
}

interface Deps {
  calls: ExtractionCalls;
  later?: (run: () => void, milliseconds: number) => void;
}

/** One that somebody should read about: why it failed, or what was left out. */
export const asksForReading = ({ status, skipped_count }: ExtractionView): boolean =>
  status === 'failed' || (status === 'completed' && skipped_count > 0);

/** Those to be read first, then what is under way, then what is done. */
const rank = (one: ExtractionView): number => (asksForReading(one) ? 0 : isOver(one.status) ? 2 : 1);

/** The extractions that this tab knows of: a plain store outside any view, so that it goes on while pages change. */
export function createExtractions({ calls, later = setTimeout }: Deps) {
  const $extractions = atom<readonly ExtractionView[]>([]);
  const listeners = new Set<(one: ExtractionView) => void>();
  const followed = new Map<number, ExtractionView>();
  /** Followed without a row. */
  const hidden = new Set<number>();
  const cancelling = new Set<number>();

  function publish(): void {
    const rows = [...followed.values()].filter(({ id }) => !hidden.has(id));
    $extractions.set(rows.toSorted((a, b) => rank(a) - rank(b)));
  }

  function drop(id: number): void {
    followed.delete(id);
    hidden.delete(id);
    cancelling.delete(id);
    publish();
  }

  /** Takes in what the server says of one. What has ended is told once. */
  function put(now: ExtractionView): void {
    const { id } = now;
    const before = followed.get(id);
    if (before && isOver(before.status)) return;
    const over = isOver(now.status);
    if (over && asksForReading(now)) hidden.delete(id);
    followed.set(id, !over && cancelling.has(id) ? { ...now, message: CANCELLING } : now);
    publish();
    if (!over) return later(() => void poll(id), POLL_EVERY);
    for (const listener of listeners) listener(now);
    if (!asksForReading(now)) later(() => drop(id), DONE_STAYS);
  }

  const follow = (one: ExtractionView): void => {
    if (!followed.has(one.id)) put(one);
  };

  async function poll(id: number): Promise<void> {
    const now = await calls.status(id).catch((): null => null);
    const before = followed.get(id);
    if (before) put(now ?? { ...before, status: 'failed', message: POLL_FAILED, code: null });
  }

  return {
    $extractions,

    /** Begins one. Rejects as the call does. */
    async start(itemId: number, request: ExtractionRequest = {}): Promise<void> {
      follow(await calls.start(itemId, request));
    },

    /** Follows one that the server began by itself, after an upload. */
    async adopt(id: number): Promise<void> {
      follow(await calls.status(id));
    },

    /** Follows what was under way before the page was loaded. */
    async resume(): Promise<void> {
      for (const one of (await calls.running()).toReversed()) follow(one);
    },

    /** Begins a failed one again as it was asked for, in the place of its row. Rejects as the call does. */
    async retry(id: number, password?: string): Promise<void> {
      const one = followed.get(id);
      if (!one) return;
      const request: ExtractionRequest = { again: id, ...(password !== undefined && { password }) };
      const next = await calls.start(one.item_id, request);
      drop(id);
      follow(next);
    },

    /** Rejects as the call does; then it goes on. */
    async cancel(id: number): Promise<void> {
      const one = followed.get(id);
      if (!one) return;
      cancelling.add(id);
      followed.set(id, { ...one, message: CANCELLING });
      publish();
      try {
        const now = await calls.cancel(id);
        if (isOver(now.status) && followed.has(id)) put(now);
      } catch (error) {
        cancelling.delete(id);
        throw error;
      }
    },

    /** Takes a row away. The work itself goes on, and comes back as a row if its end asks for reading. */
    dismiss(id: number): void {
      const one = followed.get(id);
      if (!one || isOver(one.status)) return drop(id);
      hidden.add(id);
      publish();
    },

    /** Calls `listener` when one ends. @returns what ends the listening. */
    onEnded(listener: (one: ExtractionView) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
