import { createCanvas } from '@napi-rs/canvas';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { FAMILIES, loadFonts } from '#server/fonts/india.ts';
import type { MadePicture } from '../renderer-process.ts';

/** A4, in points. */
export const A4 = { short: 595, long: 842 };
export const MARGIN = 36;
export const INK = '#111111';
export const FAINT = '#6b7280';
export const LINE = '#c4c9d2';
const QUALITY = 78;

export type Context = SKRSContext2D;
/** The CSS font of a size in points. */
export const font = (size: number, bold = false): string => `${bold ? 600 : 400} ${size}px ${FAMILIES}`;

/** Content laid out on pages, which are drawn one by one. */
export interface Paper {
  /** Points. */
  width: number;
  height: number;
  pages: number;
  /** @param page from 1. */
  draw(context: Context, page: number): void | Promise<void>;
}

/** Draws one page as a picture. @param side the longest side, in pixels. */
export async function printed(paper: Paper, page: number, side: number): Promise<MadePicture> {
  const { width, height, pages } = paper;
  if (page > pages) throw new Error('There is no such page.');
  const scale = side / Math.max(width, height);
  const canvas = createCanvas(Math.round(width * scale), Math.round(height * scale));
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.textBaseline = 'alphabetic';
  context.fillStyle = INK;
  await loadFonts();
  await paper.draw(context, page);
  return { picture: await canvas.encode('webp', QUALITY), pages };
}

/** A context that measures text before the layout. */
export async function ruler(): Promise<Context> {
  await loadFonts();
  return createCanvas(1, 1).getContext('2d');
}
