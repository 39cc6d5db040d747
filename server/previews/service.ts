import type { Readable } from 'node:stream';
import { Readable as Source } from 'node:stream';
import type { Logger } from 'pino';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/actor.ts';
import type { RenditionKey } from '#server/records/service.ts';
import type { Documents, OpenedFile } from '#server/documents/service.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import type { Jobs } from '#server/jobs/service.ts';
import type { Records } from '#server/records/service.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { contentOf } from './content.ts';
import { hasPages, hasThumbnail, PICTURED_MAX } from './contract.ts';
import type { MadePicture, PictureOrder } from './maker.ts';
import type { MakerLimits } from './make.ts';
import { createMaker } from './make.ts';
import { createViews } from './views.ts';

/** Twice what the grid shows, for dense screens. */
const THUMBNAIL_SIDE = 400;
/** A page of A4 at 220 dots per inch: print of 6 points can be read. */
const PAGE_SIDE = 2600;
/** One at a time, since each may take most of the memory that pictures get; a firm with many takes turns with others. */
const QUEUE = { slots: 1, perFirm: 1, waiting: 300 };

export interface Picture {
  /** WebP. */
  bytes: number;
  /** Names the content, for caches. */
  etag: string;
  open(): Promise<Readable>;
}

/**
 * Pictures of files: made once for each content, kept sealed, gone with the last file that has the content. What is
 * being made when nobody waits any more is made all the same; what waits then is not.
 */
export function createPreviews(use: {
  documents: Pick<Documents, 'openFile' | 'noteOpened'>;
  records: Pick<Records, 'rendition' | 'keepRendition' | 'forgetRendition'>;
  blobs: BlobStore;
  jobs: Pick<Jobs, 'memoryQueue'>;
  audit: Audit;
  log: Pick<Logger, 'info'>;
  limits?: Partial<MakerLimits>;
}) {
  const { documents, records, blobs } = use;
  const maker = createMaker<PictureOrder, MadePicture>(new URL('./maker.ts', import.meta.url), use.limits);
  const queue = use.jobs.memoryQueue(QUEUE);
  const views = createViews(use);

  async function make(key: RenditionKey, file: OpenedFile, signal: AbortSignal): Promise<void> {
    const side = key.kind === 'thumbnail' ? THUMBNAIL_SIDE : PAGE_SIDE;
    const order = { bytes: await contentOf(blobs, file), fileType: file.file_type, page: key.page, side };
    const outcome = await maker.make(order, signal);
    if ('fault' in outcome) {
      use.log.info({ item: file.item.id, why: outcome.fault }, 'no picture could be made');
      await records.keepRendition(key, { blob_id: null, bytes: null, pages: null });
      return;
    }
    const { picture, pages } = outcome;
    const blob = await blobs.put(Source.from([Buffer.from(picture)]));
    const kept = await records.keepRendition(key, { blob_id: blob.id, bytes: picture.length, pages });
    if (!kept) await blobs.delete(blob.id);
  }

  /** What is there, or is there after making it. */
  async function rendition(key: RenditionKey, file: OpenedFile, requester?: AbortSignal) {
    const there = await records.rendition(key);
    if (there?.blob_id && !(await blobs.has(there.blob_id))) await records.forgetRendition(key);
    else if (there) return there;
    const request = { firm_id: key.firm_id, key: JSON.stringify(key), requester };
    await queue.ask(request, (signal) => make(key, file, signal));
    return records.rendition(key);
  }

  async function picture(
    key: RenditionKey,
    file: OpenedFile,
    requester?: AbortSignal,
  ): Promise<Picture | null> {
    const found = await rendition(key, file, requester);
    if (!found?.blob_id) return null;
    const { blob_id, bytes } = found;
    const etag = `"${key.kind}-${key.page}-${key.sha256.slice(0, 32)}"`;
    return { etag, bytes: bytes ?? 0, open: () => blobs.get(blob_id) };
  }

  async function paged(actor: Actor, id: number): Promise<OpenedFile> {
    const file = await documents.openFile(actor, id);
    if (!hasPages(file.file_type) || file.size > PICTURED_MAX) throw notFound('page');
    return file;
  }
  const pageKey = (actor: Actor, { sha256 }: OpenedFile, page: number): RenditionKey => {
    return { firm_id: actor.firmId, sha256, kind: 'page', page };
  };

  return {
    /** A small picture of an image or of a document's first page, if one can be made. @throws {AppError} 404, 403, 503. */
    async thumbnail(actor: Actor, id: number, requester?: AbortSignal): Promise<Picture | null> {
      const file = await documents.openFile(actor, id);
      if (!hasThumbnail(file.file_type, file.size)) return null;
      return picture(
        { firm_id: actor.firmId, sha256: file.sha256, kind: 'thumbnail', page: 1 },
        file,
        requester,
      );
    },

    /** How many pages a file has that is shown page by page. @throws {AppError} 404, 403; 422 for what cannot be read; 503. */
    async pages(actor: Actor, id: number): Promise<number> {
      const file = await paged(actor, id);
      const first = await rendition(pageKey(actor, file, 1), file);
      if (!first?.blob_id)
        throw new AppError(422, 'unreadable', 'This file cannot be shown. Download it instead.');
      const detail = { name: file.name, inline: true };
      await use.audit.recordAlone({ actor, did: 'document.download', subject: `item:${id}`, detail });
      return first.pages ?? 1;
    },

    /** @throws {AppError} 404 beyond the last page; 403; 503. */
    async page(actor: Actor, id: number, page: number, requester?: AbortSignal): Promise<Picture> {
      const file = await paged(actor, id);
      const first = await rendition(pageKey(actor, file, 1), file, requester);
      if (!first?.blob_id || page > (first.pages ?? 1)) throw notFound('page');
      const found = await picture(pageKey(actor, file, page), file, requester);
      if (!found) throw notFound('page');
      return found;
    },

    view: views.view,
    body: views.body,
    attachment: views.attachment,

    /** Ends the processes that make them, until the next one is asked for. */
    stop(): void {
      maker.end();
      views.stop();
    },
  };
}
export type Previews = ReturnType<typeof createPreviews>;
