import { setImmediate } from 'node:timers/promises';
import { PDFDocument } from '@napi-rs/canvas';
import { FAMILIES, loadFonts } from '#server/fonts/india.ts';
import { PAGE } from './page-size.ts';

type Context = ReturnType<PDFDocument['beginPage']>;

export interface Style {
  size?: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'right';
  /** Wraps text to this width in points; a longer word is broken. */
  width?: number;
}

const SIZE = 9.5;
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** One page to draw on, from the top left corner, in points. */
export class Sheet {
  private readonly context: Context;

  constructor(context: Context) {
    this.context = context;
  }

  /** @returns the y of the next line. */
  text(text: string, x: number, y: number, style: Style = {}): number {
    const { size = SIZE, color = '#111827', align = 'left' } = style;
    let line = y;
    for (const piece of this.lines(text, style)) {
      this.context.fillStyle = color;
      this.context.textAlign = align;
      this.context.textBaseline = 'top';
      this.context.fillText(piece, x, line);
      line += size * 1.5;
    }
    return line;
  }

  /** The lines of a text in this style. */
  lines(text: string, { size = SIZE, bold = false, width }: Style = {}): string[] {
    this.context.font = `${bold ? 600 : 400} ${size}px ${FAMILIES}`;
    const parts = text.split('\n');
    return width === undefined ? parts : parts.flatMap((part) => this.wrapped(part, width));
  }

  rule(y: number, color = '#d1d5db'): void {
    this.context.fillStyle = color;
    this.context.fillRect(PAGE.margin, y, PAGE.width - 2 * PAGE.margin, 0.75);
  }

  /** Draws a black rectangle, such as a module of a QR code. */
  block(x: number, y: number, width: number, height: number): void {
    this.context.fillStyle = '#000000';
    this.context.fillRect(x, y, width, height);
  }

  private wrapped(text: string, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    const fits = (candidate: string) => this.context.measureText(candidate).width <= width;
    for (const word of text.split(/(?<=\s)/)) {
      if (fits(line + word.trimEnd())) {
        line += word;
        continue;
      }
      if (line) lines.push(line.trimEnd());
      line = '';
      for (const { segment } of letters.segment(word)) {
        if (line && !fits(line + segment)) {
          lines.push(line);
          line = '';
        }
        line += segment;
      }
    }
    return [...lines, line.trimEnd()];
  }
}

/** A PDF of one page. */
export async function onePage(title: string, draw: (sheet: Sheet) => void): Promise<Buffer> {
  await loadFonts();
  const pdf = new PDFDocument({ title });
  draw(new Sheet(pdf.beginPage(PAGE.width, PAGE.height)));
  pdf.endPage();
  return pdf.close();
}

/**
 * Builds a PDF page by page, yielding to other work between two pages.
 * @param pages yields a function that draws each page.
 */
export async function manyPages(title: string, pages: Iterable<(sheet: Sheet) => void>): Promise<Buffer> {
  await loadFonts();
  const pdf = new PDFDocument({ title });
  for (const draw of pages) {
    draw(new Sheet(pdf.beginPage(PAGE.width, PAGE.height)));
    pdf.endPage();
    await setImmediate();
  }
  return pdf.close();
}
