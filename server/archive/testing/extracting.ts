import type { Actor } from '#server/actor.ts';
import { listed } from '#storage/conformance.ts';
import type { World } from '../../testing/world.ts';
import { freshWorld, memoryBlobs } from '../../testing/world.ts';
import type { ExtractRequest, ExtractionView } from '../contract.ts';
import type { Forged } from '../read/testing/forge.ts';
import { forge } from '../read/testing/forge.ts';

export interface Office extends World {
  actor: Actor;
  zip(
    entries: Forged[],
    more?: { name?: string; parent_id?: number | null; client_id?: number | null },
  ): Promise<number>;
  /** Unpacks a ZIP and waits for the job to end. */
  unpack(id: number, wish?: Partial<ExtractRequest>, more?: { replace?: boolean }): Promise<ExtractionView>;
  names(folder: number | null): Promise<string[]>;
  /** Orphaned and missing blobs, wrong running totals and remaining reservations: `CLEAN` if all is well. */
  leftovers(): Promise<unknown>;
}

/** A firm with extraction, on a database of its own. */
export async function openOffice(blobs = memoryBlobs()): Promise<Office> {
  const world = await freshWorld({ blobs, trashDays: 0 });
  const { services, build, db } = world;
  await services.jobs.start(services.records.recover);
  const actor = await build.actor();
  const office: Office = Object.assign(world, {
    actor,
    async zip(
      entries: Forged[],
      { name = 'GSTR-3B.zip', parent_id = null as number | null, client_id = null as number | null } = {},
    ) {
      return (await build.file(actor, { name, content: forge(entries), parent_id, client_id })).id;
    },
    async unpack(id: number, wish: Partial<ExtractRequest> = {}, more = {}) {
      const job = await services.extraction.start(actor, id, wish, more);
      await services.jobs.idle();
      return services.extraction.status(actor, job.id);
    },
    async names(folder: number | null) {
      return (await services.documents.folder(actor, folder)).items.map(({ name }) => name);
    },
    async leftovers() {
      await services.sweeper.drain();
      const stored = await listed(blobs);
      const rows: { blob_id: string }[] = await db('items').whereNotNull('blob_id').select('blob_id');
      const versions: string[] = await db('versions').pluck('blob_id');
      const named = new Set([...rows.map(({ blob_id }) => blob_id), ...versions]);
      const discarded = new Set(
        (await db('discarded_blobs').select('blob_id')).map(({ blob_id }) => blob_id),
      );
      return {
        orphans: stored.filter((id) => !named.has(id) && !discarded.has(id)),
        missing: rows.filter(({ blob_id }) => !stored.includes(blob_id)),
        totals: await services.records.recount(),
        reserved: await db('storage_reservations').select('bytes'),
      };
    },
  });
  return office;
}

/** The result of `leftovers` if all is well. */
export const CLEAN = { orphans: [], missing: [], totals: [], reserved: [] };
export const files = (count: number, size = 10): Forged[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `Client ${n % 3}/return ${n}.pdf`,
    data: `${n}`.padEnd(size, 'x'),
  }));
