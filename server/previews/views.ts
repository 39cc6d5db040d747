import { randomUUID } from 'node:crypto';
import { Readable as Source } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Logger } from 'pino';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import { formatBytes } from '#server/text/format-bytes.ts';
import type { RenditionKey } from '#server/records/service.ts';
import type { Documents, FileRef, OpenedFile } from '#server/documents/service.ts';
import { openedAs } from '#server/documents/versions/contract.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import { requireDownload } from '#server/links/links.ts';
import type { Jobs } from '#server/jobs/service.ts';
import type { Records } from '#server/records/service.ts';
import { ownerOf } from '#server/sandbox/owner.ts';
import type { SandboxLimits } from '#server/sandbox/sandbox.ts';
import { createSandbox } from '#server/sandbox/sandbox.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { contentOf } from './content.ts';
import type { FileView, MailAttachment } from './contract.ts';
import { hasView } from './contract.ts';
import type { View } from './stored-view.ts';
import { packed, unpacked } from './stored-view.ts';
import type { MadeReading, ReadingOrder } from './views-process.ts';
import { unreadable } from './unreadable.ts';

/** Bytes; larger files are not shown. */
const VIEWED_MAX = 100 * 1024 * 1024;
const QUEUE = { slots: 1, perFirm: 1, waiting: 50 };
const LIMITS = { milliseconds: 30_000, heapMb: 512 };

/**
 * The content of office documents, tables and e-mails for the viewers of the site: extracted once per content in a separate
 * process and stored as a rendition. An unreadable content is recorded, so that it is not tried again.
 */
export function createViews(dependencies: {
  documents: Pick<Documents, 'openFile' | 'noteOpened'>;
  records: Pick<Records, 'rendition' | 'keepRendition' | 'forgetRendition'>;
  blobs: BlobStore;
  jobs: Pick<Jobs, 'memoryQueue'>;
  audit: Audit;
  daily: Pick<DailyLimit, 'count'>;
  log: Pick<Logger, 'info'>;
  limits?: Partial<SandboxLimits>;
}) {
  const { documents, records, blobs } = dependencies;
  const reader = createSandbox<ReadingOrder, MadeReading>(new URL('./views-process.ts', import.meta.url), {
    ...LIMITS,
    ...dependencies.limits,
  });
  const queue = dependencies.jobs.memoryQueue(QUEUE);

  async function openViewableFile(actor: Actor, ref: FileRef): Promise<OpenedFile> {
    const file = await documents.openFile(actor, ref);
    if (!hasView(file.file_type)) throw notFound('view');
    if (file.size > VIEWED_MAX)
      throw new AppError(
        422,
        'too_large_to_show',
        `Files over ${formatBytes(VIEWED_MAX)} cannot be shown. Download it instead.`,
      );
    return file;
  }

  async function make(key: RenditionKey, file: OpenedFile, signal: AbortSignal): Promise<void> {
    const order = { bytes: await contentOf(blobs, file), fileType: file.file_type };
    const outcome = await reader.run(
      order,
      ownerOf({ firm_id: key.firm_id, client_id: file.item.client_id }),
      signal,
    );
    if ('fault' in outcome || !('view' in outcome)) {
      dependencies.log.info(
        { item: file.item.id, why: 'fault' in outcome && outcome.fault },
        'a file cannot be shown',
      );
      await records.keepRendition(key, { blob_id: null, bytes: null, pages: null });
      return;
    }
    const bytes = packed(outcome.view, outcome.body);
    const blob = await blobs.put(Source.from([bytes]));
    const isStored = await records.keepRendition(key, { blob_id: blob.id, bytes: bytes.length, pages: null });
    if (!isStored) await blobs.delete(blob.id);
  }

  async function storedView(actor: Actor, file: OpenedFile, requester?: AbortSignal): Promise<Buffer> {
    const { sha256, file_type } = file;
    const key: RenditionKey = { firm_id: actor.firmId, sha256, file_type, kind: 'view', page: 1 };
    let rendition = await records.rendition(key);
    if (rendition?.blob_id && !(await blobs.has(rendition.blob_id))) {
      await records.forgetRendition(key);
      rendition = null;
    }
    if (!rendition) {
      const request = { firm_id: key.firm_id, key: JSON.stringify(key), requester };
      await queue.run(request, (signal) => make(key, file, signal));
      rendition = await records.rendition(key);
    }
    if (!rendition?.blob_id) throw unreadable(actor);
    return buffer(await blobs.get(rendition.blob_id));
  }
  const view = async (actor: Actor, file: OpenedFile, requester?: AbortSignal): Promise<View> =>
    unpacked(await storedView(actor, file, requester));

  const recordViewing = (actor: Actor, file: OpenedFile, detail: Record<string, string | boolean> = {}) =>
    dependencies.audit.recordAlone({
      actor,
      did: 'document.download',
      subject: `item:${file.item.id}`,
      detail: { ...openedAs(file), inline: true, ...detail },
      content: file.sha256,
    });

  /** @returns the attachments in the order of their positions in `indexes`. */
  async function extractAttachments(
    actor: Actor,
    ref: FileRef,
    indexes: number[],
    requester?: AbortSignal,
  ): Promise<{ file: OpenedFile; found: { name: string; bytes: Buffer }[] }> {
    const file = await openViewableFile(actor, ref);
    // An attachment is an original file, not a view of it.
    requireDownload(actor);
    const request = {
      firm_id: actor.firmId,
      key: `attachment ${file.sha256} ${file.file_type} ${indexes.join()}`,
      requester,
    };
    const outcome = await queue.run(request, async (signal) => {
      // Read when it is its turn, since a queue of e-mails would fill the memory.
      const order = { bytes: await contentOf(blobs, file), fileType: file.file_type, attachments: indexes };
      return reader.run(order, ownerOf({ firm_id: actor.firmId, client_id: file.item.client_id }), signal);
    });
    if ('fault' in outcome || !('attachments' in outcome)) throw notFound('attachment');
    return {
      file,
      found: outcome.attachments.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })),
    };
  }

  return {
    /** The stored `view` rendition of a file. The caller has checked the permission. @throws {AppError} like `view`. */
    storedView,

    /**
     * The response of `GET /api/documents/:id/view`, gzipped. It contains the complete text, so it needs download permission.
     * @throws {AppError} 404 also for a type without a view; 403; 422 for an unreadable file; 503.
     */
    async view(actor: Actor, ref: FileRef, requester?: AbortSignal): Promise<Buffer> {
      const file = await openViewableFile(actor, ref);
      requireDownload(actor);
      const { json } = await view(actor, file, requester);
      await recordViewing(actor, file);
      await documents.noteOpened(actor, file.item.id);
      return json;
    },

    /** The HTML for a file's frame, gzipped. @throws {AppError} like `view`. */
    async body(actor: Actor, ref: FileRef, requester?: AbortSignal): Promise<Buffer> {
      const file = await openViewableFile(actor, ref);
      requireDownload(actor);
      const { body } = await view(actor, file, requester);
      if (body.length === 0) throw notFound('page');
      await dependencies.audit.recordViewing({
        actor,
        subject: `item:${file.item.id}`,
        detail: openedAs(file),
        content: file.sha256,
      });
      return body;
    },

    /** Lists the attachments of an e-mail, also for view-only users. @throws {AppError} 404, 422, 503. */
    async attachments(actor: Actor, ref: FileRef, requester?: AbortSignal): Promise<MailAttachment[]> {
      const { json } = await view(actor, await openViewableFile(actor, ref), requester);
      const { data } = JSON.parse(gunzipSync(json).toString()) as { data: FileView };
      return data.kind === 'mail' ? data.attachments : [];
    },

    /**
     * Extracts an attachment by its position, from 1; it is not stored. With `sending` the download is counted and audited.
     * @throws {AppError} 404, 403, 422, 429, 503.
     */
    async attachment(
      actor: Actor,
      ref: FileRef,
      index: number,
      requester?: AbortSignal,
      { sending = true } = {},
    ): Promise<{ name: string; bytes: Buffer }> {
      const { file, found } = await extractAttachments(actor, ref, [index], requester);
      const { name, bytes } = found[0]!;
      if (!sending) return { name, bytes };
      const event = { subject: `item:${file.item.id}`, detail: { ...openedAs(file), attachment: name } };
      await dependencies.daily.count(actor, randomUUID(), event);
      await recordViewing(actor, file, { attachment: name, inline: false });
      return { name, bytes };
    },

    /**
     * Extracts attachments by their positions, reading the e-mail once. Their bytes are not sent, so it is no download.
     * @throws {AppError} 404, also when together they are too large; 403, 422, 503.
     */
    async attachmentContents(actor: Actor, ref: FileRef, indexes: number[]): Promise<Buffer[]> {
      return (await extractAttachments(actor, ref, indexes)).found.map(({ bytes }) => bytes);
    },

    /** Like `storedView`, for bytes that are not a file of the vault; the result is not stored. Null if unreadable. @throws {AppError} 503. */
    async viewOfBytes(actor: Actor, name: string, order: ReadingOrder): Promise<Buffer | null> {
      const request = { firm_id: actor.firmId, key: `once ${name}` };
      const outcome = await queue.run(request, (signal) =>
        reader.run(order, `${actor.firmId} ${name}`, signal),
      );
      return 'view' in outcome ? packed(outcome.view, outcome.body) : null;
    },

    /** Ends the process; the next request starts it again. */
    stop: (): void => reader.stop(),
  };
}
export type Views = ReturnType<typeof createViews>;
