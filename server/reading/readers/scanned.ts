import type { FileText, ScannedPage } from './contract.ts';
import type { Budget } from './limits.ts';

/** Replaces the text of pages by what was read of them as pictures. */
export function withScans(file: FileText, scanned: readonly ScannedPage[], budget: Budget): FileText {
  if (scanned.length === 0) return file;
  const byPage = new Map(scanned.map((page) => [page.page, page]));
  const pages = file.pages.map((page) => {
    const read = byPage.get(page.page);
    if (!read) return page;
    const { boxes, sure, seen, codes } = read;
    const text = budget.take(read.text);
    return { ...page, text, boxes, sure, seen, ...(codes && { codes }) };
  });
  return { ...file, pages, cut: file.cut ?? budget.cut };
}
