import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Sealer } from '#server/db/column-encryption.ts';
import type { Documents } from '#server/documents/service.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import type { JobView } from '#server/jobs/contract.ts';
import type { Jobs } from '#server/jobs/service.ts';
import type { ExtractRequest, ExtractionFacts, ExtractionView } from '../contract.ts';
import { EXTRACTION } from '../contract.ts';
import type { ExtractingDependencies, ExtractionInput } from './run.ts';
import { createExtractionRun } from './run.ts';

interface ExtractionDependencies extends ExtractingDependencies {
  db: Knex;
  documents: ExtractingDependencies['documents'] & Pick<Documents, 'checkUpload' | 'item'>;
  jobs: Jobs;
  /** Seals passwords that are stored with jobs; left out if one process runs all jobs. */
  seal?: Sealer;
}

/** Unpacks archives in the drive, as jobs. */
export function createExtraction(dependencies: ExtractionDependencies) {
  const { db, documents, jobs, seal } = dependencies;
  /** Kept in memory, unless another process may run the job: then the job's row has the password, sealed. */
  const passwords = new Map<number, string>();
  const run = createExtractionRun(dependencies, {
    of: ({ id, sealed }) => (sealed && seal ? seal.open(sealed).toString() : passwords.get(id)),
    forget: (id) => void passwords.delete(id),
  });
  jobs.register(EXTRACTION, { run, attempts: 3 });

  async function ownJob(actor: Actor, id: number): Promise<JobView> {
    const job = await jobs.view(actor, id);
    if (job.kind !== EXTRACTION) throw notFound('job');
    return job;
  }

  return {
    /**
     * Starts to unpack a ZIP into a new folder beside it. A repeated request returns the extraction that is under way. `again` is the id
     * of an earlier extraction: if it failed or was cancelled it is repeated, otherwise it is returned.
     * @throws {AppError} 403, 404; 422 if it is not a ZIP; 429.
     */
    async start(
      actor: Actor,
      itemId: number,
      { password, entries, again }: Partial<ExtractRequest> = {},
      { replace = false } = {},
    ): Promise<ExtractionView> {
      // A folder is visible too, so that 404 would be untrue of it.
      const item = await documents.item(actor, itemId);
      if (item.file_type !== 'zip') throw new AppError(422, 'not_a_zip', 'Only ZIP files can be unpacked.');
      await documents.checkUpload(actor, { parent_id: item.parent_id, client_id: null });
      const before = again ? await ownJob(actor, again) : undefined;
      if (before && before.subject !== `item:${itemId}`) throw notFound('job');
      if (before && before.status !== 'failed' && before.status !== 'cancelled') return toView(before);
      const input: ExtractionInput = {
        item_id: itemId,
        entries: entries ?? null,
        replace,
        ...(before && (await jobs.input(actor, before.id))),
        locked: password !== undefined,
      };
      const id = await db.transaction(async (trx) => {
        const same = await findSame(trx, actor, input);
        if (same !== undefined) return same;
        const added = await jobs.add(trx, actor, {
          kind: EXTRACTION,
          subject: `item:${itemId}`,
          input: { ...input },
          message: 'Waiting to be unpacked',
          data: { ...initialFacts(item) },
          ...(password !== undefined && seal && { sealed: seal.seal(password) }),
        });
        if (password !== undefined && !seal) passwords.set(added, password);
        return added;
      });
      return toView(await jobs.view(actor, id));
    },

    /** @throws {AppError} 404. */
    status: async (actor: Actor, id: number): Promise<ExtractionView> => toView(await ownJob(actor, id)),

    /** The user's waiting and running extractions, the newest first; for a page that was just loaded. */
    running: async (actor: Actor): Promise<ExtractionView[]> =>
      (await jobs.list(actor, EXTRACTION)).map(toView),

    /** @throws {AppError} 404; 409 if it has ended already. */
    async cancel(actor: Actor, id: number): Promise<ExtractionView> {
      await ownJob(actor, id);
      const job = await jobs.cancel(actor, id);
      if (job.status === 'cancelled') passwords.delete(id);
      return toView(job);
    },
  };

  /** The user's unfinished extraction of the same item with the same entries. One with a password is never the same. */
  async function findSame(
    trx: Knex.Transaction,
    actor: Actor,
    input: ExtractionInput,
  ): Promise<number | undefined> {
    if (input.locked) return undefined;
    const wanted = JSON.stringify({ ...input });
    const same = (await jobs.active(trx, actor, EXTRACTION)).find(
      (job) => job.subject === `item:${input.item_id}` && JSON.stringify(job.input) === wanted,
    );
    return same?.id;
  }
}
export type Extraction = ReturnType<typeof createExtraction>;

function initialFacts(item: { id: number; name: string; parent_id: number | null }): ExtractionFacts {
  return {
    item_id: item.id,
    file_name: item.name,
    bytes_done: 0,
    bytes_total: 0,
    files: 0,
    folders: 0,
    folder_id: null,
    folder_name: null,
    parent_id: item.parent_id,
    skipped: [],
    skipped_count: 0,
  };
}

function toView({
  id,
  status,
  progress,
  message,
  code,
  created_at,
  finished_at,
  data,
}: JobView): ExtractionView {
  const facts = data as unknown as ExtractionFacts;
  return { id, extraction_id: id, status, progress, message, code, created_at, finished_at, ...facts };
}
