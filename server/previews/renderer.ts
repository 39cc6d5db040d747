import { Readable as Source } from 'node:stream';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { RenditionKey, Records } from '#server/records/service.ts';
import type { OpenedFile } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import type { Jobs } from '#server/jobs/service.ts';
import { ownerOf } from '#server/sandbox/owner.ts';
import type { SandboxLimits } from '#server/sandbox/sandbox.ts';
import { createSandbox } from '#server/sandbox/sandbox.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { contentOf } from './content.ts';
import type { MadePicture, PictureOrder, StampOrder } from './renderer-process.ts';

/** Pixels: twice the size in the grid, for high-density screens. */
const THUMBNAIL_SIDE = 400;
/** Pixels: twice the size of a logo on a page. */
const LOGO_SIDE = 480;
/** Pixels: A4 at 220 dots per inch, at which print of 6 points is legible. */
const PAGE_SIDE = 2600;
/** One at a time, since one picture may need most of the sandbox's memory. Firms take turns. */
const QUEUE = { slots: 1, perFirm: 1, waiting: 300 };

export interface RendererDependencies {
  records: Pick<Records, 'rendition' | 'keepRendition' | 'forgetRendition' | 'isServedMasked'>;
  blobs: BlobStore;
  jobs: Pick<Jobs, 'memoryQueue'>;
  log: Pick<Logger, 'info'>;
  limits?: Partial<SandboxLimits>;
  /** The known password of an encrypted PDF; null if there is none. */
  passwordOf?: (firmId: number, sha256: string) => Promise<string | null>;
}

/** Loads the source of a picture if it is not the file itself. */
export type Content = () => Promise<Pick<PictureOrder, 'bytes' | 'fileType'>>;

/**
 * Renders pictures of files, once per content; they are stored sealed, and deleted with the last file of the content. When
 * all requesters have gone, a queued picture is dropped, but one in progress is completed. Each renderer has its own
 * process and queue.
 */
export function createRenderer({
  records,
  blobs,
  jobs,
  log,
  limits,
  passwordOf = async () => null,
}: RendererDependencies) {
  const sandbox = createSandbox<PictureOrder | StampOrder, MadePicture>(
    new URL('./renderer-process.ts', import.meta.url),
    limits,
  );
  const queue = jobs.memoryQueue(QUEUE);

  async function make(
    key: RenditionKey,
    file: OpenedFile,
    content: Content,
    signal: AbortSignal,
  ): Promise<void> {
    const side = key.kind === 'thumbnail' ? THUMBNAIL_SIDE : PAGE_SIDE;
    const password = await passwordOf(key.firm_id, key.sha256);
    const order = { ...(await content()), page: key.page, side, ...(password !== null && { password }) };
    const outcome = await sandbox.run(
      order,
      ownerOf({ firm_id: key.firm_id, client_id: file.item.client_id }),
      signal,
    );
    // Meanwhile more Aadhaar numbers may have been found in the file, and its covered copy is another one.
    const isValid = (trx: Knex.Transaction): Promise<boolean> =>
      key.kind === 'masked_page' ? records.isServedMasked(trx, key, file.blob_id) : Promise.resolve(true);
    if ('fault' in outcome) {
      log.info({ item: file.item.id, why: outcome.fault }, 'no picture could be made');
      await records.keepRendition(key, { blob_id: null, bytes: null, pages: null }, isValid);
      return;
    }
    const { picture, pages } = outcome;
    const blob = await blobs.put(Source.from([Buffer.from(picture)]));
    const stored = { blob_id: blob.id, bytes: picture.length, pages };
    const isStored = await records.keepRendition(key, stored, isValid);
    if (!isStored) await blobs.delete(blob.id);
  }

  return {
    /** The stored picture, or a new one; its `blob_id` is null if none can be made. */
    async rendition(
      key: RenditionKey,
      file: OpenedFile,
      requester?: AbortSignal,
      content: Content = async () => ({ bytes: await contentOf(blobs, file), fileType: file.file_type }),
    ) {
      const stored = await records.rendition(key);
      if (stored?.blob_id && !(await blobs.has(stored.blob_id))) await records.forgetRendition(key);
      else if (stored) return stored;
      const request = { firm_id: key.firm_id, key: JSON.stringify(key), requester };
      await queue.run(request, (signal) => make(key, file, content, signal));
      return records.rendition(key);
    },

    /** Renders a page of bytes that are not a file of the vault, without storing it. Null if unreadable. @throws {AppError} 503. */
    async renderBytes(
      { firm_id, name, page }: { firm_id: number; name: string; page: number },
      content: Content,
      requester?: AbortSignal,
    ): Promise<MadePicture | null> {
      const request = { firm_id, key: `once ${name} ${page}`, requester };
      const outcome = await queue.run(request, async (signal) =>
        sandbox.run({ ...(await content()), page, side: PAGE_SIDE }, `${firm_id} ${name}`, signal),
      );
      return 'fault' in outcome ? null : outcome;
    },

    /** Converts a firm's logo to a PNG; null for an unreadable picture. @throws {AppError} 503. */
    async logo(firm_id: number, bytes: Buffer): Promise<Buffer | null> {
      const order = { bytes, fileType: 'logo', page: 1, side: LOGO_SIDE };
      const outcome = await queue.run({ firm_id }, (signal) => sandbox.run(order, `${firm_id} logo`, signal));
      return 'fault' in outcome ? null : Buffer.from(outcome.picture);
    },

    /** Burns a text into a picture; the result is not stored. @throws {AppError} 500, 503. */
    async stamp(
      { firm_id, name, owner }: { firm_id: number; name: string; owner: string },
      bytes: Buffer,
      stamp: string,
      requester?: AbortSignal,
    ): Promise<Buffer> {
      const outcome = await queue.run({ firm_id, key: `stamp ${name} ${stamp}`, requester }, (signal) =>
        sandbox.run({ bytes, stamp }, owner, signal),
      );
      if ('fault' in outcome)
        throw new AppError(500, 'not_stamped', 'This page could not be shown. Try again.');
      return Buffer.from(outcome.picture);
    },

    /** Ends the process; the next request starts it again. */
    stop: (): void => sandbox.stop(),
  };
}
export type Renderer = ReturnType<typeof createRenderer>;
