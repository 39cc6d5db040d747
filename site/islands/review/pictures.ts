import type { ItemView } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import { pageUrl } from '#server/previews/contract.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { importWithRetry } from '../../lib/lazyWithRetry.ts';
import type { Pdf } from '../preview/pdf.ts';
import type { Region } from './region.ts';

/** A page that parts can be cut out of. */
export interface Picture {
  /** In points. */
  width: number;
  height: number;
  /** @param ratio pixels of the screen for one of the style sheet's. */
  cut(region: Region, ratio: number): Promise<Blob>;
}

/** Points that a picture counts along its longer side. */
const A4 = 842;

/** Documents that stay open: the one that is looked at, the next, and the one before. */
const OPEN = 3;
const pdfs = new Map<number, Promise<{ pdf: Pdf; close: () => void }>>();

function pdfOf(item: ItemView): Promise<{ pdf: Pdf; close: () => void }> {
  const known = pdfs.get(item.id);
  if (known) return known;
  const opening = (async () => {
    const [{ openPdf }, url] = await Promise.all([
      importWithRetry(() => import('../preview/pdf.ts')),
      documentCalls.downloadUrl(item.id, { inline: true }),
    ]);
    const task = openPdf(url, () => Promise.resolve(null));
    return { pdf: await task.promise, close: () => void task.destroy() };
  })();
  pdfs.set(item.id, opening);
  opening.catch(() => pdfs.delete(item.id));
  const [oldest] = pdfs.keys();
  if (pdfs.size > OPEN && oldest !== undefined) {
    const old = pdfs.get(oldest);
    pdfs.delete(oldest);
    void old?.then(({ close }) => close());
  }
  return opening;
}

function canvasOf({ width, height, scale }: Region, ratio: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale * ratio));
  canvas.height = Math.max(1, Math.round(height * scale * ratio));
  return canvas;
}

const bytesOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('Nothing was drawn.'))));
  });

async function pageOf(item: ItemView, number: number): Promise<Picture> {
  const { pdf } = await pdfOf(item);
  const page = await pdf.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  return {
    width,
    height,
    async cut(region, ratio) {
      const canvas = canvasOf(region, ratio);
      const scale = region.scale * ratio;
      const viewport = page.getViewport({
        scale,
        offsetX: -region.left * scale,
        offsetY: -region.top * scale,
      });
      await page.render({ canvas, viewport }).promise;
      return bytesOf(canvas);
    },
  };
}

async function imageOf(url: string): Promise<Picture> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { naturalWidth, naturalHeight } = image;
  const pixels = Math.max(naturalWidth, naturalHeight) / A4;
  const [width, height] = [naturalWidth / pixels, naturalHeight / pixels];
  return {
    width,
    height,
    async cut(region, ratio) {
      const canvas = canvasOf(region, ratio);
      canvas
        .getContext('2d')!
        .drawImage(
          image,
          region.left * pixels,
          region.top * pixels,
          region.width * pixels,
          region.height * pixels,
          0,
          0,
          canvas.width,
          canvas.height,
        );
      return bytesOf(canvas);
    },
  };
}

/** A page of a file to cut places out of. Rejects where it cannot be drawn, such as without its password. */
export async function pictureOf(item: ItemView, page: number): Promise<Picture> {
  const kind = previewKind(item.file_type);
  if (kind === 'pdf') return pageOf(item, page);
  if (kind === 'scan') return imageOf(pageUrl(`/api/documents/${item.id}`, page));
  return imageOf(await documentCalls.downloadUrl(item.id, { inline: true }));
}

/** Has a document opened before it is looked at. */
export function openAhead(item: ItemView): void {
  if (previewKind(item.file_type) === 'pdf') pdfOf(item).catch(() => {});
}
