import type { Mark } from './marks.ts';
import type { Context } from './paper.ts';
import { font, INK, LINE } from './paper.ts';
import type { Picture } from './pictures.ts';
import { layTable } from './rows.ts';
import type { Element } from './tree.ts';

export interface Style {
  size: number;
  bold: boolean;
  underline: boolean;
  /** Whether spaces and line ends are preserved. */
  asWritten: boolean;
  align: 'left' | 'center' | 'right';
}
export const PLAIN: Style = { size: 9.5, bold: false, underline: false, asWritten: false, align: 'left' };

/** A horizontal extent: the left edge and the width. */
export interface Place {
  x: number;
  width: number;
}

type Piece =
  | { kind: 'word' | 'space'; text: string; style: Style; width: number }
  | { kind: 'picture'; picture: Picture; width: number; height: number }
  | { kind: 'end' };

const BLOCKS = new Set(
  (
    'body p div h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tfoot tr td th caption blockquote pre hr center dl dt dd ' +
    'section article header footer main figure figcaption address'
  ).split(' '),
);
const SIZES: Record<string, number> = { h1: 16, h2: 14, h3: 12, h4: 11 };
const LEADING = 1.45;
const INDENT = 16;
const DEEPEST = 20;
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The style of an element, derived from that of its parent. */
export function styleIn({ tag, attributes }: Element, parent: Style): Style {
  const style = { ...parent };
  if (/^(?:b|strong|th|dt|h[1-6])$/.test(tag)) style.bold = true;
  if (tag === 'u' || tag === 'ins') style.underline = true;
  if (tag === 'pre') style.asWritten = true;
  style.size =
    SIZES[tag] ?? (tag === 'sup' || tag === 'sub' || tag === 'small' ? parent.size * 0.8 : parent.size);
  const alignment = `${attributes.align ?? ''} ${attributes.class ?? ''} ${/text-align:\s*(\w+)/.exec(attributes.style ?? '')?.[1] ?? ''}`;
  const align = tag === 'center' ? 'center' : /\b(center|right|left)\b/.exec(alignment)?.[1];
  if (align) style.align = align as Style['align'];
  return style;
}

/** Lays out cleaned HTML on one continuous strip and collects the marks to draw. */
export class Flow {
  readonly marks: Mark[] = [];
  private readonly widths = new Map<string, number>();
  private readonly ruler: Context;
  private readonly pictures: ReadonlyMap<Element, Picture>;
  /** The maximum height of an indivisible mark. */
  private readonly tallest: number;
  /** Whether every table has rules, as in a document; otherwise only those with a `border` attribute. */
  readonly ruled: boolean;

  constructor(use: {
    ruler: Context;
    pictures: ReadonlyMap<Element, Picture>;
    tallest: number;
    ruled: boolean;
  }) {
    this.ruler = use.ruler;
    this.pictures = use.pictures;
    this.tallest = use.tallest;
    this.ruled = use.ruled;
  }

  /** Lays out an element from `y` down. @returns its bottom edge. */
  block(element: Element, place: Place, y: number, parentStyle = PLAIN, depth = 0): number {
    const { tag } = element;
    const style = styleIn(element, parentStyle);
    if (tag === 'hr') {
      this.rule(place, y + 6);
      return y + 12;
    }
    if (tag === 'table' && depth < DEEPEST) return layTable(this, element, place, y + 4, style, depth) + 4;
    const [before, after] = spaceAround(tag);
    const indent = /^(?:ul|ol|blockquote|dd)$/.test(tag) ? Math.min(INDENT, place.width / 4) : 0;
    const inner = { x: place.x + indent, width: place.width - indent };
    return this.contents(element, inner, y + before, style, depth) + after;
  }

  /** Lays out the contents of an element: lines of text and blocks, one below the other. */
  contents(element: Element, place: Place, top: number, style: Style, depth: number): number {
    let y = top;
    let line: Piece[] = [];
    let number = 0;
    const flush = () => {
      if (line.some(({ kind }) => kind !== 'space')) y = this.lines(line, place, y, style);
      line = [];
    };
    const visit = (node: Element, nodeStyle: Style): void => {
      for (const child of node.children) {
        if (typeof child === 'string') this.words(child, nodeStyle, line);
        else if (child.tag === 'br') line.push({ kind: 'end' });
        else if (child.tag === 'img') this.picture(child, place, line);
        else if (!BLOCKS.has(child.tag)) visit(child, styleIn(child, nodeStyle));
        else {
          flush();
          if (child.tag === 'li') {
            number += 1;
            const marker = element.tag === 'ol' ? `${number}.` : '•';
            this.text(marker, { x: place.x - 12, width: 12 }, y, style);
          }
          y = this.block(child, place, y, nodeStyle, depth + 1);
        }
      }
    };
    visit(element, style);
    flush();
    return y;
  }

  /** Lays out a single text. @returns its bottom edge. */
  text(text: string, place: Place, y: number, style = PLAIN): number {
    const pieces: Piece[] = [];
    this.words(text, style, pieces);
    return this.lines(pieces, place, y, style);
  }

  rule({ x, width }: Place, y: number, height = 0.5): void {
    this.marks.push({
      top: y,
      bottom: y + height,
      divisible: true,
      draw(context, top) {
        context.fillStyle = LINE;
        context.fillRect(x, top, width, height);
      },
    });
  }

  private widthOf(text: string, { size, bold }: Style): number {
    const key = `${size} ${bold} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      this.ruler.font = font(size, bold);
      width = this.ruler.measureText(text).width;
      this.widths.set(key, width);
    }
    return width;
  }

  private words(text: string, style: Style, into: Piece[]): void {
    for (const part of text.split(style.asWritten ? /(\n|[^\S\n]+)/ : /(\s+)/)) {
      if (part === '') continue;
      if (part === '\n' && style.asWritten) into.push({ kind: 'end' });
      else if (/\S/.test(part))
        into.push({ kind: 'word', text: part, style, width: this.widthOf(part, style) });
      else {
        const space = style.asWritten ? part.replaceAll('\t', '    ') : ' ';
        if (!style.asWritten && into.at(-1)?.kind === 'space') continue;
        into.push({ kind: 'space', text: space, style, width: this.widthOf(' ', style) * space.length });
      }
    }
  }

  private picture(element: Element, place: Place, into: Piece[]): void {
    const picture = this.pictures.get(element);
    const { alt = '', width, height } = element.attributes;
    if (!picture) return alt ? this.words(`[${alt}]`, PLAIN, into) : undefined;
    const points = (pixels: string | undefined) => (Number.parseFloat(pixels ?? '') || 0) * 0.75;
    const ratio = picture.height / picture.width;
    const natural = points(width) || (points(height) && points(height) / ratio) || picture.width;
    const fit = Math.min(1, place.width / natural, this.tallest / (natural * ratio));
    into.push({ kind: 'picture', picture, width: natural * fit, height: natural * fit * ratio });
  }

  /** Splits a word that is wider than `maxWidth` into parts that fit. */
  private splitWord(piece: Piece, maxWidth: number): Piece[] {
    if (piece.kind !== 'word' || piece.width <= maxWidth) return [piece];
    const parts: Piece[] = [];
    let text = '';
    const addPart = () => parts.push({ ...piece, text, width: this.widthOf(text, piece.style) });
    for (const { segment } of letters.segment(piece.text)) {
      if (text && this.widthOf(text + segment, piece.style) > maxWidth) {
        addPart();
        text = '';
      }
      text += segment;
    }
    addPart();
    return parts;
  }

  private lines(pieces: readonly Piece[], place: Place, top: number, { align, size }: Style): number {
    let y = top;
    let line: Exclude<Piece, { kind: 'end' }>[] = [];
    let width = 0;
    const endLine = () => {
      while (line.at(-1)?.kind === 'space') width -= line.pop()!.width;
      const tall = line.reduce(
        (most, piece) =>
          Math.max(most, piece.kind === 'picture' ? piece.height + 4 : piece.style.size * LEADING),
        line.length === 0 ? size * LEADING : 0,
      );
      const rest = Math.max(0, place.width - width);
      const x = place.x + (align === 'right' ? rest : align === 'center' ? rest / 2 : 0);
      if (line.length > 0) this.marks.push(lineMark(line, x, y, Math.min(tall, this.tallest)));
      y += tall;
      [line, width] = [[], 0];
    };
    for (const unsplit of pieces)
      for (const piece of this.splitWord(unsplit, Math.max(10, place.width))) {
        if (piece.kind === 'end') endLine();
        else {
          if (piece.kind !== 'space' && line.length > 0 && width + piece.width > place.width) endLine();
          if (piece.kind === 'space' && line.length === 0 && !piece.style.asWritten) continue;
          line.push(piece);
          width += piece.width;
        }
      }
    if (line.length > 0) endLine();
    return y;
  }
}

function spaceAround(tag: string): [before: number, after: number] {
  if (/^h[1-6]$/.test(tag)) return [9, 5];
  if (/^(?:p|ul|ol|dl|blockquote|pre|figure)$/.test(tag)) return [0, 6];
  return tag === 'li' ? [0, 2] : [0, 0];
}

function lineMark(
  line: readonly Exclude<Piece, { kind: 'end' }>[],
  x: number,
  top: number,
  tall: number,
): Mark {
  return {
    top,
    bottom: top + tall,
    divisible: false,
    async draw(context, top) {
      let left = x;
      const base = top + tall - 3;
      for (const piece of line) {
        if (piece.kind === 'picture')
          context.drawImage(await piece.picture.load(), left, top, piece.width, piece.height);
        else {
          context.fillStyle = INK;
          context.font = font(piece.style.size, piece.style.bold);
          if (piece.kind === 'word') context.fillText(piece.text, left, base);
          if (piece.style.underline) context.fillRect(left, base + 1.5, piece.width, 0.5);
        }
        left += piece.width;
      }
    },
  };
}
