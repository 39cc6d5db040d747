import { SheetsUnreadable } from '#server/sheets/contract.ts';
import type { Parts } from '#server/sheets/office-package.ts';
import { openParts } from '#server/sheets/office-package.ts';
import type { FileText, PageKind, PageText } from './contract.ts';
import type { Budget } from './limits.ts';
import { Refused } from './limits.ts';

/** How to turn elements into text, by their local names: what to insert before an element and after it. */
interface Format {
  /** Elements whose content is text. */
  text: ReadonlySet<string>;
  before?: Record<string, string>;
  after: Record<string, string>;
  /** The element that begins a page, and the attribute with its name. */
  page?: { element: string; label?: string };
  /** An element that repeats content found elsewhere. */
  skip?: string;
}

const WORD: Format = {
  text: new Set(['t']),
  before: { tab: '\t', br: '\n', cr: '\n' },
  after: { p: '\n', tc: '\t' },
  skip: 'Fallback',
};
const SLIDE: Format = { text: new Set(['t']), before: { br: '\n' }, after: { p: '\n' }, skip: 'Fallback' };
const OPEN: Format = {
  text: new Set(['p', 'h']),
  before: { tab: '\t', s: ' ', 'line-break': '\n' },
  after: { p: '\n', h: '\n' },
};

/** Reads one XML part; `put` receives each page as it ends. */
async function readPart(
  parts: Parts,
  path: string,
  format: Format,
  budget: Budget,
  put: (text: string, label: string) => void,
): Promise<void> {
  let [text, label, depth, skipped] = ['', '', 0, 0];
  const add = (piece: string) => {
    if (skipped === 0) text += budget.take(piece);
  };
  await parts.read(path, {
    open(name, attributes) {
      if (name === format.skip) skipped += 1;
      if (format.text.has(name)) depth += 1;
      if (name === format.page?.element) {
        if (text.trim() !== '') put(text, label);
        text = '';
        label = Object.entries(attributes).find(([key]) => /(?:^|:)name$/.test(key))?.[1] ?? '';
      }
      const before = format.before?.[name];
      if (before) add(before);
    },
    text(piece) {
      if (depth > 0) add(piece);
    },
    close(name) {
      if (format.text.has(name)) depth -= 1;
      const after = format.after[name];
      if (after) add(after);
      if (name === format.skip) skipped -= 1;
    },
    enough: () => budget.spent,
  });
  put(text, label);
}

const numberOf = (path: string): number => Number(/(\d+)\.xml$/.exec(path)?.[1] ?? 0);

interface Layout {
  kind: PageKind;
  /** The parts of each page, unless the format itself has page elements. */
  pages: string[][];
  format: Format;
}

function layoutOf(parts: Parts): Layout | null {
  const matching = (pattern: RegExp) =>
    parts
      .paths()
      .filter((path) => pattern.test(path))
      .toSorted((a, b) => numberOf(a) - numberOf(b));
  if (parts.has('word/document.xml')) {
    const rest = matching(/^word\/(?:header|footer|footnotes|endnotes|comments)\d*\.xml$/);
    return { kind: 'whole', pages: [['word/document.xml', ...rest]], format: WORD };
  }
  const slides = matching(/^ppt\/slides\/slide\d+\.xml$/);
  if (slides.length > 0) return { kind: 'slide', pages: slides.map((slide) => [slide]), format: SLIDE };
  if (!parts.has('content.xml') || !parts.has('mimetype')) return null;
  return { kind: 'whole', pages: [['content.xml']], format: OPEN };
}

/** Pages of OpenDocument by file type, since the parts of all types have the same names. */
const OPEN_PAGES: Record<string, { kind: PageKind; format: Format }> = {
  ods: {
    kind: 'sheet',
    format: { ...OPEN, after: { p: '\t', 'table-row': '\n' }, page: { element: 'table' } },
  },
  odp: { kind: 'slide', format: { ...OPEN, page: { element: 'page' } } },
};

/**
 * Reads DOCX, PPTX and OpenDocument: a ZIP file of XML parts, read as a stream.
 * @throws {Refused}
 */
export async function readPackage(bytes: Buffer, fileType: string, budget: Budget): Promise<FileText> {
  try {
    const parts = await openParts(bytes);
    const found = layoutOf(parts);
    if (!found) throw new Refused('not_this_type', 'It is a ZIP file of something else.');
    const { kind, format } = { ...found, ...(found.format === OPEN && OPEN_PAGES[fileType]) };
    const pages: PageText[] = [];
    for (const paths of found.pages) {
      if (budget.spent) break;
      let whole = '';
      for (const path of paths)
        await readPart(parts, path, format, budget, (text, label) => {
          if (format.page) pages.push({ page: pages.length + 1, label: kind === 'sheet' ? label : '', text });
          else whole += text;
        });
      if (!format.page) pages.push({ page: pages.length + 1, label: '', text: whole });
    }
    return { kind, pages, count: Math.max(pages.length, found.pages.length), cut: budget.cut };
  } catch (error) {
    if (!(error instanceof SheetsUnreadable)) throw error;
    throw new Refused(error.fault === 'too_large' ? 'too_large' : 'damaged', error.message);
  }
}
