import type { ItemView } from '#server/documents/contract.ts';
import { previewKind } from '#server/documents/contract.ts';
import { pageUrl } from '#server/previews/contract.ts';
import { documentCalls } from '../../lib/documentCalls.ts';
import { importWithRetry } from '../../lib/lazyWithRetry.ts';
import { recentlyUsed } from './recentlyUsed.ts';
import type { Pdf } from '../preview/pdf.ts';
import type { Region } from './region.ts';

/** The image of a page, from which regions can be cropped. */
export interface Picture {
  /** Width and height in points. */
  width: number;
  height: number;
  /** @param ratio device pixels per CSS pixel. */
  crop(region: Region, ratio: number): Promise<Blob>;
}

/** The longer side of an image in points: that of an A4 page. */
const A4_HEIGHT = 842;

interface OpenPdf {
  pdf: Pdf;
  close: () => void;
}

/** PDFs that stay open: the current one and those before it, to which the user may go back. */
const MAX_OPEN = 3;
const pdfs = recentlyUsed<number, Promise<OpenPdf>>(MAX_OPEN, (opening) => {
  opening.then(({ close }) => close()).catch(() => {});
});

function pdfOf(item: ItemView): Promise<OpenPdf> {
  const opened = pdfs.get(item.id);
  if (opened) return opened;
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
    async crop(region, ratio) {
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
  const pixelsPerPoint = Math.max(naturalWidth, naturalHeight) / A4_HEIGHT;
  const [width, height] = [naturalWidth / pixelsPerPoint, naturalHeight / pixelsPerPoint];
  return {
    width,
    height,
    async crop(region, ratio) {
      const canvas = canvasOf(region, ratio);
      canvas
        .getContext('2d')!
        .drawImage(
          image,
          region.left * pixelsPerPoint,
          region.top * pixelsPerPoint,
          region.width * pixelsPerPoint,
          region.height * pixelsPerPoint,
          0,
          0,
          canvas.width,
          canvas.height,
        );
      return bytesOf(canvas);
    },
  };
}

/** The image of a page. Rejects when it cannot be rendered, e.g. without the file's password. */
export async function pictureOf(item: ItemView, page: number): Promise<Picture> {
  const kind = previewKind(item.file_type);
  if (kind === 'pdf') return pageOf(item, page);
  if (kind === 'scan') return imageOf(pageUrl(`/api/documents/${item.id}`, page));
  return imageOf(await documentCalls.downloadUrl(item.id, { inline: true }));
}
