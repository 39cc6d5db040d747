import type { FileText } from './contract.ts';
import type { Budget } from './limits.ts';
import { Refused } from './limits.ts';

const PAGES_MAX = 1000;

/** A picture has no text of its own: this only counts its pages. @throws {Refused} */
export async function readPicture(bytes: Buffer, fileType: string, budget: Budget): Promise<FileText> {
  let count = 1;
  // Other formats count as one page, also when animated.
  if (fileType === 'tif' || fileType === 'tiff') {
    const { default: sharp } = await import('sharp');
    const { pages = 1 } = await sharp(bytes, { sequentialRead: true })
      .metadata()
      .catch((error: Error) => {
        throw new Refused('damaged', error.message);
      });
    count = pages;
  }
  const read = Math.min(count, PAGES_MAX);
  if (read < count) budget.cut ??= 'pages';
  const pages = Array.from({ length: read }, (_, index) => ({ page: index + 1, label: '', text: '' }));
  return { kind: 'page', pages, count, cut: budget.cut };
}
