import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createSandbox } from '#server/sandbox/sandbox.ts';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import type { MadePdf, PdfOrder, Turn } from './process.ts';

/** Sides of an A4 page, in points. */
const SHORT = 595.28;
const LONG = 841.89;

interface Bundle {
  /** Null if no photo could be read. */
  blob: StoredBlob | null;
  /** Indexes of the photos that could not be read; they stay files of their own. */
  unread: number[];
}

/** Stores a PDF with these pages; nothing remains of it if a picture cannot be placed. */
export async function storePdf(
  blobs: Pick<BlobStore, 'put'>,
  title: string,
  pages: readonly MadePdf[],
): Promise<StoredBlob> {
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({ autoFirstPage: false, margin: 0, info: { Title: title } });
  const stored = blobs.put(pdf as never);
  try {
    for (const { picture, width, height } of pages) {
      const size: [number, number] = width > height ? [LONG, SHORT] : [SHORT, LONG];
      pdf.addPage({ size, margin: 0 });
      pdf.image(Buffer.from(picture), 0, 0, { fit: size, align: 'center', valign: 'center' });
    }
    pdf.end();
  } catch (error) {
    // The sandbox is not trusted, and a picture that cannot be placed must not leave half a PDF waiting.
    (pdf as unknown as Readable).destroy(error as Error);
    await stored.catch(() => {});
    throw error;
  }
  return stored;
}

/** Creates one PDF from photos, one upright page each, in order. */
export function createPhotosToPdf({ blobs }: { blobs: Pick<BlobStore, 'get' | 'put'> }) {
  const sandbox = createSandbox<PdfOrder, MadePdf>(new URL('./process.ts', import.meta.url), {
    milliseconds: 60_000,
  });
  const stopping = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  /** Pages are made one after another: the sandbox takes one order at a time. */
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
     * @param ids blobs of the photos, in order.
     * @param turns rotation of each photo, in the same order; none if omitted.
     */
    async bundle(ids: readonly string[], title: string, turns: readonly Turn[] = []): Promise<Bundle> {
      const pages: MadePdf[] = [];
      const unread: number[] = [];
      for (const [index, id] of ids.entries()) {
        const page = await pageOf(id, ids[0]!, turns[index] ?? 0);
        if (page) pages.push(page);
        else unread.push(index);
      }
      if (pages.length === 0) return { blob: null, unread };
      return { blob: await storePdf(blobs, title, pages), unread };
    },

    /** Stops all further work. */
    stop(): void {
      stopping.abort(new Error('The server is stopping.'));
      sandbox.stop();
    },
  };
}
export type Paper = ReturnType<typeof createPhotosToPdf>;
