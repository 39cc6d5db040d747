import { buffer } from 'node:stream/consumers';
import { createSandbox } from '#server/sandbox/sandbox.ts';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import type { MadePdf, PdfOrder, Turn } from './pdf.worker.ts';

/** Points of an A4 page's sides. */
const SHORT = 595.28;
const LONG = 841.89;

/** Bytes of a photograph that is read into memory to be made a page of; a larger one stays a file of its own. */
export const PHOTO_BYTES_MAX = 64 * 1024 * 1024;

export interface Bundle {
  /** Null when none of the photographs could be read. */
  blob: StoredBlob | null;
  /** Which of them, by their place, could not be read and stay files of their own. */
  unread: number[];
}

/** Makes one PDF out of photographs, a page each, upright and in their order. */
export function createPhotosToPdf({ blobs }: { blobs: Pick<BlobStore, 'get' | 'put'> }) {
  const sandbox = createSandbox<PdfOrder, MadePdf>(new URL('./pdf.worker.ts', import.meta.url), {
    milliseconds: 60_000,
  });
  const stopping = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: the process takes one order at a time. */
  function pageOf(blobId: string, owner: string, turn: Turn): Promise<MadePdf | null> {
    const page = last.then(async () => {
      const bytes = await buffer(await blobs.get(blobId));
      const made = await sandbox.run({ bytes, turn }, owner, stopping.signal);
      return 'fault' in made ? null : made;
    });
    last = page.catch(() => {});
    return page;
  }

  return {
    /**
     * @param ids the blobs of the photographs, in their order.
     * @param turns what each is to be turned by, in the same order; left out, none is.
     */
    async bundle(ids: readonly string[], title: string, turns: readonly Turn[] = []): Promise<Bundle> {
      const { default: PDFDocument } = await import('pdfkit');
      const pages: MadePdf[] = [];
      const unread: number[] = [];
      for (const [at, id] of ids.entries()) {
        const page = await pageOf(id, ids[0]!, turns[at] ?? 0);
        if (page) pages.push(page);
        else unread.push(at);
      }
      if (pages.length === 0) return { blob: null, unread };
      const pdf = new PDFDocument({ autoFirstPage: false, margin: 0, info: { Title: title } });
      const stored = blobs.put(pdf as never);
      for (const { picture, width, height } of pages) {
        const size: [number, number] = width > height ? [LONG, SHORT] : [SHORT, LONG];
        pdf.addPage({ size, margin: 0 });
        pdf.image(Buffer.from(picture), 0, 0, { fit: size, align: 'center', valign: 'center' });
      }
      pdf.end();
      return { blob: await stored, unread };
    },

    /** Nothing is made any more. */
    stop(): void {
      stopping.abort(new Error('The server is stopping.'));
      sandbox.stop();
    },
  };
}
export type Paper = ReturnType<typeof createPhotosToPdf>;
