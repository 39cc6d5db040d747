import * as t from '#messages/preview.ts';
import { toast } from '../../lib/toast.ts';
import type { Pdf } from './pdf.ts';
import { printPictures } from './print.ts';

/** Pixels per point: 150 dpi, at which office printers print sharp letters. */
const SCALE = 150 / 72;

/** Renders every page and prints the images; nothing is printed if the document is closed before. */
export async function printPdf(pdf: Pdf): Promise<void> {
  const urls: string[] = [];
  try {
    const canvas = document.createElement('canvas');
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const page = await pdf.getPage(number);
      const viewport = page.getViewport({ scale: SCALE });
      canvas.width = viewport.width;
      canvas.height = viewport.height;
      await page.render({ canvas, viewport, intent: 'print' }).promise;
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));
      if (blob) urls.push(URL.createObjectURL(blob));
    }
    await printPictures(urls);
  } catch {
    if (pdf.loadingTask.destroyed) return;
    toast.error(t.printFailed);
  } finally {
    urls.forEach((url) => URL.revokeObjectURL(url));
  }
}
