import { pdf as document, png as picture } from '#server/tools/samples.ts';

/** A PDF of so many pages with a few lines of text on each. */
export const pdf = (pages: number, title = 'Form 16'): Buffer =>
  document(
    Array.from({ length: pages }, (_, index) => [`${title}, page ${index + 1}`, 'Tax deducted at source']),
  );

/** A photo, as far as a browser can tell: a PNG of a colour gradient. */
export const png = (width = 320, height = 240): Buffer =>
  picture(width, height, (x, y) => [(x * width) % 256, (y * height) % 256, 128]);
