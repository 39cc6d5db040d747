import { atom } from 'nanostores';
import type { ExtractionView } from '#server/archive/contract.ts';
import { isOver } from '#server/jobs/contract.ts';
import * as t from '#messages/archive.ts';

/** Milliseconds between two status requests for a running extraction. */
export const POLL_INTERVAL_MS = 1000;
/** Milliseconds for which the row of a flawless extraction stays after its end. */
export const COMPLETED_ROW_MS = 5000;
export const POLL_FAILED = t.statusFailed;
export const CANCELLING = t.cancelling;

export interface ExtractionRequest {
  password?: string;
  entries?: readonly string[];
  /** The id of the extraction to repeat. */
  again?: number;
}

interface ExtractionCalls {
  start(itemId: number, request?: ExtractionRequest): Promise<ExtractionView>;
  status(id: number): Promise<ExtractionView>;
  running(): Promise<ExtractionView[]>;
  cancel(id: number): Promise<ExtractionView>;
}

interface Deps {
  calls: ExtractionCalls;
  later?: (run: () => void, milliseconds: number) => void;
}

/** Whether the user should read the outcome: a failure, or skipped entries. */
export const needsAttention = ({ status, skipped_count }: ExtractionView): boolean =>
  status === 'failed' || (status === 'completed' && skipped_count > 0);

/** The display order: extractions that need attention, running ones, ended ones. */
const rank = (extraction: ExtractionView): number =>
  needsAttention(extraction) ? 0 : isOver(extraction.status) ? 2 : 1;

/** The store of this tab's extractions. It is outside of React, so that polling continues while pages change. */
export function createExtractions({ calls, later = setTimeout }: Deps) {
  const $extractions = atom<readonly ExtractionView[]>([]);
  const listeners = new Set<(extraction: ExtractionView) => void>();
  const tracked = new Map<number, ExtractionView>();
  /** Ids of tracked extractions without a row. */
  const hidden = new Set<number>();
  const cancelling = new Set<number>();

  function publish(): void {
    const rows = [...tracked.values()].filter(({ id }) => !hidden.has(id));
    $extractions.set(rows.toSorted((a, b) => rank(a) - rank(b)));
  }

  function remove(id: number): void {
    tracked.delete(id);
    hidden.delete(id);
    cancelling.delete(id);
    publish();
  }

  /** Stores a status from the server. Listeners are notified of an end once. */
  function update(next: ExtractionView): void {
    const { id } = next;
    const previous = tracked.get(id);
    if (previous && isOver(previous.status)) return;
    const over = isOver(next.status);
    if (over && needsAttention(next)) hidden.delete(id);
    tracked.set(id, !over && cancelling.has(id) ? { ...next, message: CANCELLING } : next);
    publish();
    if (!over) return later(() => void poll(id), POLL_INTERVAL_MS);
    for (const listener of listeners) listener(next);
    if (!needsAttention(next)) later(() => remove(id), COMPLETED_ROW_MS);
  }

  const track = (extraction: ExtractionView): void => {
    if (!tracked.has(extraction.id)) update(extraction);
  };

  async function poll(id: number): Promise<void> {
    const current = await calls.status(id).catch((): null => null);
    const previous = tracked.get(id);
    if (previous) update(current ?? { ...previous, status: 'failed', message: POLL_FAILED, code: null });
  }

  return {
    $extractions,

    /** Starts an extraction. Rejects like the call. */
    async start(itemId: number, request: ExtractionRequest = {}): Promise<void> {
      track(await calls.start(itemId, request));
    },

    /** Tracks an extraction that the server started after an upload. */
    async adopt(id: number): Promise<void> {
      track(await calls.status(id));
    },

    /** Tracks the extractions that were running before the page was loaded. */
    async resume(): Promise<void> {
      for (const extraction of (await calls.running()).toReversed()) track(extraction);
    },

    /** Repeats a failed extraction, and replaces its row. Rejects like the call. */
    async retry(id: number, password?: string): Promise<void> {
      const extraction = tracked.get(id);
      if (!extraction) return;
      const request: ExtractionRequest = { again: id, ...(password !== undefined && { password }) };
      const next = await calls.start(extraction.item_id, request);
      remove(id);
      track(next);
    },

    /** Cancels an extraction. If the call fails, this rejects like it, and the extraction continues. */
    async cancel(id: number): Promise<void> {
      const extraction = tracked.get(id);
      if (!extraction) return;
      cancelling.add(id);
      tracked.set(id, { ...extraction, message: CANCELLING });
      publish();
      try {
        const now = await calls.cancel(id);
        if (isOver(now.status) && tracked.has(id)) update(now);
      } catch (error) {
        cancelling.delete(id);
        throw error;
      }
    },

    /** Hides a row. A running extraction continues, and gets a row again if its outcome needs attention. */
    dismiss(id: number): void {
      const extraction = tracked.get(id);
      if (!extraction || isOver(extraction.status)) return remove(id);
      hidden.add(id);
      publish();
    },

    /** Subscribes to ended extractions. @returns unsubscribe. */
    onEnded(listener: (extraction: ExtractionView) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
