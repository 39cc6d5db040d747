import type { Readable } from 'node:stream';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Clock } from '#server/clock.ts';
import type { Documents, FileRef } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import type { RenditionKey } from '#server/records/service.ts';
import { hasThumbnail } from './contract.ts';
import { createInnerPages } from './inner.ts';
import type { StampedUser } from './pages.ts';
import { createPages } from './pages.ts';
import type { RendererDependencies } from './renderer.ts';
import { createRenderer } from './renderer.ts';
import { createViews } from './views.ts';

export interface Picture {
  /** WebP. */
  bytes: number;
  /** Identifies the content for caches. */
  etag: string;
  open(): Promise<Readable>;
}

interface PreviewDependencies extends RendererDependencies {
  documents: Pick<Documents, 'openFile' | 'noteOpened'>;
  audit: Audit;
  clock: Clock;
  daily: Pick<DailyLimit, 'count'>;
  /** The actor's display name and firm. */
  viewer: (actor: Actor) => Promise<StampedUser>;
}

/** An encrypted PDF has no thumbnail for an actor without its password. */
const nullIfLocked = (error: unknown): null => {
  if (error instanceof AppError && error.code === 'locked_pdf') return null;
  throw error;
};

/** Previews of files: thumbnails, pictures of pages, and the extracted content of office documents. */
export function createPreviews(dependencies: PreviewDependencies) {
  const { documents, blobs } = dependencies;
  const pictures = createRenderer(dependencies);
  const stamping = createRenderer(dependencies);
  const views = createViews(dependencies);
  const pages = createPages({ ...dependencies, views, pictures, pages: stamping });
  const inner = createInnerPages({ pictures, views, clock: dependencies.clock });

  const pictureOf = (
    { kind, page, sha256, file_type }: Omit<RenditionKey, 'firm_id'>,
    blob_id: string,
    bytes: number,
  ) => ({
    etag: `"${kind}-${page}-${sha256.slice(0, 32)}-${file_type}"`,
    bytes,
    open: () => blobs.get(blob_id),
  });

  return {
    /** A thumbnail of an image or of a document's first page, if one can be made. @throws {AppError} 404, 403, 503. */
    async thumbnail(actor: Actor, ref: FileRef, requester?: AbortSignal): Promise<Picture | null> {
      const file = await documents.openFile(actor, ref).catch(nullIfLocked);
      if (!file) return null;
      if (!hasThumbnail(file.file_type, file.size)) return null;
      const { sha256, file_type } = file;
      const key = { sha256, file_type, kind: 'thumbnail', page: 1 } as const;
      const rendition = await pictures.rendition({ firm_id: actor.firmId, ...key }, file, requester);
      return rendition?.blob_id ? pictureOf(key, rendition.blob_id, rendition.bytes ?? 0) : null;
    },

    /** The number of pages of a file. @throws {AppError} 404, 403; 422 for an unreadable file; 503. */
    pages: pages.count,

    /**
     * A page: the stored picture, or for a view-only user a copy stamped with the user's name for this request.
     * @throws {AppError} 404 beyond the last page; 403; 422 for an unreadable page; 503.
     */
    async page(
      actor: Actor,
      ref: FileRef,
      page: number,
      requester?: AbortSignal,
    ): Promise<Picture | { stamped: Buffer }> {
      const result = await pages.page(actor, ref, page, requester);
      if ('stamped' in result) return result;
      const { sha256, file_type, blob_id, bytes } = result;
      return pictureOf({ sha256, file_type, kind: 'page', page }, blob_id, bytes);
    },

    /** See `Renderer.logo`. */
    logo: pictures.logo,

    view: views.view,
    body: views.body,
    attachment: views.attachment,
    attachments: views.attachments,
    attachmentContents: views.attachmentContents,

    /** A page of a file inside another file. */
    innerPage: inner.page,

    /** Deletes the record that no picture can be made of a content, such as of a PDF whose password is known now. */
    async showAgain(firm_id: number, sha256: string): Promise<void> {
      for (const kind of ['thumbnail', 'page'] as const) {
        const key = { firm_id, sha256, file_type: 'pdf', kind, page: 1 };
        const rendition = await dependencies.records.rendition(key);
        if (rendition && !rendition.blob_id) await dependencies.records.forgetRendition(key);
      }
    },

    /** Ends the processes; the next request starts them again. */
    stop(): void {
      pictures.stop();
      stamping.stop();
      views.stop();
      inner.stop();
    },
  };
}
export type Previews = ReturnType<typeof createPreviews>;
