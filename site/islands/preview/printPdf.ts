import * as t from '#messages/preview.ts';
import { toast } from '../../lib/toast.ts';
import type { Pdf } from './pdf.ts';
import { printPictures } from './print.ts';

/** Dots for one point: 150 to the inch, which office printers show as sharp letters. */
const SCALE = 150 / 72;

/** Draws every page and prints the drawings; closed before that, the document is not printed. */
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
