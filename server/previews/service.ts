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
import type { Looker } from './pages.ts';
import { createPages } from './pages.ts';
import type { RendererParts } from './renderer.ts';
import { createRenderer } from './renderer.ts';
import { createViews } from './views.ts';

export interface Picture {
  /** WebP. */
  bytes: number;
  /** Names the content, for caches. */
  etag: string;
  open(): Promise<Readable>;
}

export interface PreviewParts extends RendererParts {
  documents: Pick<Documents, 'openFile' | 'noteOpened'>;
  audit: Audit;
  clock: Clock;
  daily: Pick<DailyLimit, 'count'>;
  /** The actor's name and firm, as they are shown. */
  viewer: (actor: Actor) => Promise<Looker>;
}

/** Of a locked PDF there is no small picture, for who does not know its password. */
const lockedAsNone = (error: unknown): null => {
  if (error instanceof AppError && error.code === 'locked_pdf') return null;
  throw error;
};

/** What is shown of files: small pictures, pages as pictures, and what the server reads of office documents. */
export function createPreviews(use: PreviewParts) {
  const { documents, blobs } = use;
  const pictures = createRenderer(use);
  const stamping = createRenderer(use);
  const views = createViews(use);
  const pages = createPages({ ...use, views, pictures, pages: stamping });
  const inner = createInnerPages({ pictures, views, clock: use.clock });

  const kept = ({ kind, page, sha256 }: Omit<RenditionKey, 'firm_id'>, blob_id: string, bytes: number) => ({
    etag: `"${kind}-${page}-${sha256.slice(0, 32)}"`,
    bytes,
    open: () => blobs.get(blob_id),
  });

  return {
    /** A small picture of an image or of a document's first page, if one can be made. @throws {AppError} 404, 403, 503. */
    async thumbnail(actor: Actor, ref: FileRef, requester?: AbortSignal): Promise<Picture | null> {
      const file = await documents.openFile(actor, ref).catch(lockedAsNone);
      if (!file) return null;
      if (!hasThumbnail(file.file_type, file.size)) return null;
      const what = { sha256: file.sha256, kind: 'thumbnail', page: 1 } as const;
      const found = await pictures.rendition({ firm_id: actor.firmId, ...what }, file, requester);
      return found?.blob_id ? kept(what, found.blob_id, found.bytes ?? 0) : null;
    },

    /** How many pages a file has that is shown page by page. @throws {AppError} 404, 403; 422 for what cannot be read; 503. */
    pages: pages.count,

    /**
     * A page: kept as it is, or, for one who may only look, made for this look alone with the name of who looks across it.
     * @throws {AppError} 404 beyond the last page; 403; 422 for one that cannot be read; 503.
     */
    async page(
      actor: Actor,
      ref: FileRef,
      page: number,
      requester?: AbortSignal,
    ): Promise<Picture | { stamped: Buffer }> {
      const found = await pages.page(actor, ref, page, requester);
      if ('stamped' in found) return found;
      return kept({ sha256: found.sha256, kind: 'page', page }, found.blob_id, found.bytes);
    },

    /** What is kept of a firm's logo, a PNG; null for what is no picture. @throws {AppError} 503. */
    logo: pictures.logo,

    view: views.view,
    body: views.body,
    attachment: views.attachment,
    attachments: views.attachments,
    attachmentToShow: views.attachmentToShow,

    /** A page of a file within a file. */
    innerPage: inner.page,

    /** Has a content tried again of which no picture could be made, such as a PDF that was locked. */
    async showAgain(firm_id: number, sha256: string): Promise<void> {
      for (const kind of ['thumbnail', 'page'] as const) {
        const key = { firm_id, sha256, kind, page: 1 };
        const found = await use.records.rendition(key);
        if (found && !found.blob_id) await use.records.forgetRendition(key);
      }
    },

    /** Ends the processes that make them, until the next one is asked for. */
    stop(): void {
      pictures.stop();
      stamping.stop();
      views.stop();
      inner.stop();
    },
  };
}
export type Previews = ReturnType<typeof createPreviews>;
