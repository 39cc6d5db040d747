import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Documents, OpenedFile } from '#server/documents/service.ts';
import { AppError, forbidden } from '#server/http/errors.ts';
import type { Limit, RateLimiter } from '#server/http/rate-limiter.ts';
import type { Jobs } from '#server/jobs/service.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import { requireDownload } from '#server/links/links.ts';
import { createSandbox } from '#server/sandbox/sandbox.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { UnlockResult, PdfPassword, UnlockRequest } from './contract.ts';
import type { PdfPasswords } from './passwords.ts';

const PDF_MAX_BYTES = 100 * 1024 * 1024;
const QUEUE = { slots: 1, perFirm: 1, waiting: 50 };
const TRIES = { name: 'pdf_password', tries: 20, seconds: 15 * 60 } as const satisfies Limit;

const wrong = () =>
  new AppError(422, 'wrong_password', 'The password is not correct. Please try again.', {
    errors: { password: ['The password is not correct. Please try again.'] },
  });

export interface UnlockingDependencies {
  documents: Pick<Documents, 'openFile'>;
  blobs: BlobStore;
  audit: Pick<Audit, 'recordAlone'>;
  jobs: Pick<Jobs, 'memoryQueue'>;
  limits: RateLimiter;
  daily: Pick<DailyLimit, 'count'>;
  passwords: PdfPasswords;
  /** Called when a content opens: queues it to be read, and discards its renditions. */
  opened: (firmId: number, sha256: string) => Promise<void>;
}

/** Opens locked PDFs for users who may download them, with a known or typed password. */
export function createUnlocking(dependencies: UnlockingDependencies) {
  const { documents, passwords, audit } = dependencies;
  const sandbox = createSandbox<UnlockRequest, UnlockResult>(new URL('./process.ts', import.meta.url), {
    milliseconds: 20_000,
    bytes: 900 * 1024 * 1024,
  });
  const queue = dependencies.jobs.memoryQueue(QUEUE);

  async function pdf(actor: Actor, id: number): Promise<OpenedFile> {
    const file = await documents.openFile(actor, id);
    requireDownload(actor);
    if (file.file_type !== 'pdf' || file.size > PDF_MAX_BYTES)
      throw new AppError(422, 'no_locked_pdf', 'Only PDFs of up to 100 MB are opened with a password here.');
    return file;
  }

  async function tryPasswords(actor: Actor, file: OpenedFile, candidates: readonly string[], write = false) {
    return queue.run({ firm_id: actor.firmId }, async (signal) => {
      const bytes = await buffer(await dependencies.blobs.get(file.blob_id));
      return sandbox.run(
        { bytes, passwords: [...candidates], write },
        `${actor.firmId} ${file.sha256}`,
        signal,
      );
    });
  }

  return {
    /**
     * The password, if it is stored or can be derived from what is known of the client. @throws {AppError} 404, 403,
     * 422.
     */
    async password(actor: Actor, id: number): Promise<PdfPassword> {
      const file = await pdf(actor, id);
      const known = await passwords.knownTo(actor, file.sha256);
      if (known !== null) return { password: known };
      const candidates = await passwords.candidatesTo(actor, file.sha256, file.item.client_id);
      if (candidates.length === 0) return { password: null };
      const outcome = await tryPasswords(actor, file, candidates);
      if (!('password' in outcome)) return { password: null };
      const password = candidates[outcome.password]!;
      const for_client = file.item.client_id;
      await passwords.store(actor.firmId, file.sha256, { password, for_client });
      await dependencies.opened(actor.firmId, file.sha256);
      return { password };
    },

    /**
     * Takes a password that a user types: it is stored for this document, and on request for the client's others.
     * @throws {AppError} 404, 403; 422 `wrong_password`; 429.
     */
    async unlock(
      actor: Actor,
      id: number,
      { password, remember }: { password: string; remember: boolean },
    ): Promise<void> {
      const file = await pdf(actor, id);
      await dependencies.limits.check({ limit: TRIES, subject: String(actor.userId) });
      const outcome = await tryPasswords(actor, file, [password]);
      if (!('password' in outcome)) throw wrong();
      const { client_id } = file.item;
      await passwords.store(actor.firmId, file.sha256, { password, for_client: client_id });
      const forClient = remember && client_id !== null && may(actor, 'documents.write');
      if (forClient) await passwords.remember(actor.firmId, client_id, password);
      await audit.recordAlone({
        actor,
        did: 'document.unlock',
        subject: `item:${id}`,
        detail: { name: file.name, ...(forClient && { remembered: true }) },
      });
      await dependencies.opened(actor.firmId, file.sha256);
    },

    /**
     * The document without its password; counts and is recorded as a download. @throws {AppError} 404, 403, 422, 429.
     */
    async unlocked(actor: Actor, id: number): Promise<{ name: string; bytes: Buffer }> {
      const file = await pdf(actor, id);
      if (actor.recipient) throw forbidden();
      const candidates = await passwords.candidatesTo(actor, file.sha256, file.item.client_id);
      const outcome = await tryPasswords(actor, file, ['', ...candidates], true);
      if (!('password' in outcome))
        throw new AppError(422, 'locked', 'Open it with its password first, then download it without.');
      const about = { subject: `item:${id}`, detail: { name: file.name, without_password: true } };
      await dependencies.daily.count(actor, randomUUID(), about);
      await audit.recordAlone({ actor, did: 'document.download', ...about });
      return { name: file.name.replace(/\.pdf$/i, ' (unlocked).pdf'), bytes: Buffer.from(outcome.unlocked) };
    },

    /** Ends the process, until the next document. */
    stop: (): void => sandbox.stop(),
  };
}
export type Unlocking = ReturnType<typeof createUnlocking>;
