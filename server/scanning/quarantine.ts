import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { BOUND_TEXTS, bindList, queryRows } from '#server/db/sql.ts';
import { QUARANTINED } from './contract.ts';
import type { Marked, QuarantineState, Walked } from './contract.ts';

export interface QuarantineRow {
  blob_id: string;
  firm_id: number;
  name: string;
  bytes: number;
  /** `released`: an admin released a file that is not in the drive yet. */
  state: QuarantineState | 'released';
  found: string | null;
  source: 'outside' | 'office';
  tries: number;
  next_try_at: string;
  told_at: string | null;
  created_at: string;
}

const MESSAGES: Record<QuarantineState, string> = {
  waiting:
    'This file is held back until the virus scanner has looked at it. Please try again in a few minutes.',
  infected: 'A virus was found in this file, so it is held back. An admin decides what becomes of it.',
  program:
    'This file is a program and not a document, so it is held back. An admin decides what becomes of it.',
  too_large: 'This file is too large for the virus scanner, so it is held back. An admin can release it.',
};

/** Files of which one query learns whether they are held back. */
const BATCH = 1000;

const refusal = (state: QuarantineState): AppError => new AppError(409, QUARANTINED, MESSAGES[state]);

/**
 * The contents that nobody may open, by blob id. Cached in memory, since every read checks it and most servers never
 * hold anything back. With several processes only the rows are right.
 */
export function createQuarantine({ db, several = false }: { db: Knex; several?: boolean }) {
  let cache: Promise<Map<string, QuarantineState>> | undefined;

  const states = (): Promise<Map<string, QuarantineState>> =>
    (cache ??= db('quarantined_blobs')
      .whereNot({ state: 'released' })
      .select('blob_id', 'state')
      .then(
        (rows: { blob_id: string; state: QuarantineState }[]) =>
          new Map(rows.map(({ blob_id, state }) => [blob_id, state])),
      )
      .catch((error: unknown) => {
        cache = undefined;
        throw error;
      }));

  async function stateOf(blob_id: string): Promise<QuarantineState | undefined> {
    if (!several) return (await states()).get(blob_id);
    const held = db('quarantined_blobs').where({ blob_id }).whereNot({ state: 'released' });
    return ((await held.first('state')) as Pick<QuarantineRow, 'state'> | undefined)?.state as
      QuarantineState | undefined;
  }

  async function heldAmong(ids: readonly string[]): Promise<Pick<ReadonlySet<string>, 'has'>> {
    if (!several) return states();
    const rows = await queryRows<{ blob_id: string }>(
      db,
      `SELECT blob_id FROM quarantined_blobs WHERE blob_id IN (${BOUND_TEXTS}) AND state <> 'released'`,
      [bindList(ids)],
    );
    return new Set(rows.map(({ blob_id }) => blob_id));
  }

  async function* markAll<S extends Walked>(steps: readonly S[]): AsyncGenerator<Marked<S>> {
    const held = await heldAmong(steps.flatMap(({ blob_id }) => blob_id ?? []));
    for (const step of steps) yield [step, step.blob_id !== null && held.has(step.blob_id)];
  }

  // A file enters quarantine before it enters the drive, so the walk has to see it before it is looked up.
  async function* markHeld<S extends Walked>(
    walk: AsyncIterable<S> | Iterable<S>,
  ): AsyncGenerator<Marked<S>> {
    let steps: S[] = [];
    for await (const step of walk) {
      if (steps.push(step) < BATCH) continue;
      yield* markAll(steps);
      steps = [];
    }
    yield* markAll(steps);
  }

  return {
    markHeld,

    /** @throws {AppError} 409 `quarantined`. */
    async requireClean(blobId: string): Promise<void> {
      const state = await stateOf(blobId);
      if (state) throw refusal(state);
    },

    /** Call before any row refers to the blob. */
    async put(row: { blob_id: string; state: QuarantineState }): Promise<void> {
      if (!several) (await states()).set(row.blob_id, row.state);
    },

    /** Call after the row was deleted. */
    async forget(blobId: string): Promise<void> {
      if (!several) (await states()).delete(blobId);
    },

    /** Wraps a store so that it never returns bytes in quarantine, whoever asks. */
    guard: (blobs: BlobStore): BlobStore => ({
      put: (...of) => blobs.put(...of),
      runningSums: () => blobs.runningSums(),
      join: (...of) => blobs.join(...of),
      size: (id) => blobs.size(id),
      has: (id) => blobs.has(id),
      delete: (id) => blobs.delete(id),
      list: () => blobs.list(),
      async get(id, range) {
        const state = await stateOf(id);
        if (state) throw refusal(state);
        return blobs.get(id, range);
      },
    }),
  };
}
export type Quarantine = ReturnType<typeof createQuarantine>;
