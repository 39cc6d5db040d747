import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Dice } from './random.ts';

const require = createRequire(import.meta.url);
const fonts = join(dirname(require.resolve('pdfjs-dist/package.json')), 'standard_fonts');
const inter = require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
const hindi =
  require.resolve('@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff2');

const face = (family: string, file: string, extra = ''): string =>
  `@font-face{font-family:${family};src:url(data:font/any;base64,${readFileSync(file).toString('base64')});${extra}}`;

const FACES = [
  face('Lib', join(fonts, 'LiberationSans-Regular.ttf')),
  face('Lib', join(fonts, 'LiberationSans-Bold.ttf'), 'font-weight:700;'),
  face('Inter', inter, 'font-weight:100 900;'),
  face('Deva', hindi, 'unicode-range:U+0900-097F;'),
].join('');

/** Fonts that issuers use, as near as what is free comes to them. */
const FONTS = {
  arial: 'Lib,Deva,sans-serif',
  inter: 'Inter,Deva,sans-serif',
  verdana: '"DejaVu Sans",Deva,sans-serif',
  times: '"DejaVu Serif",Deva,serif',
  courier: '"DejaVu Sans Mono",Deva,monospace',
  narrow: '"DejaVu Sans Condensed",Deva,sans-serif',
} as const;
export type Font = keyof typeof FONTS;

export const anyFont = (dice: Dice): Font => dice.pick(Object.keys(FONTS) as Font[]);

/** A page to be printed: `size` in points of the text. */
export function page(body: string, font: Font, size = 9, css = ''): string {
  return `<!doctype html><html><head><meta charset="utf-8"><style>${FACES}
@page{margin:12mm 10mm}body{margin:0;font:${size}pt/1.35 ${FONTS[font]};color:#111}
table{border-collapse:collapse;width:100%}th,td{padding:2pt 4pt;vertical-align:top;text-align:left}
.grid th,.grid td{border:.6pt solid #555}.lines tr{border-bottom:.5pt solid #bbb}.r{text-align:right!important}.c{text-align:center!important}
h1{font-size:1.5em;margin:4pt 0}h2{font-size:1.2em;margin:4pt 0}h3{font-size:1.05em;margin:3pt 0}.b{font-weight:700}
.two{display:flex;gap:14pt}.two>*{flex:1}.box{border:.8pt solid #333;padding:5pt;margin:4pt 0}.small{font-size:.82em}
.bar{background:#dde6f2;padding:3pt 5pt;font-weight:700}p{margin:3pt 0}.nw{white-space:nowrap}${css}</style></head><body>${body}</body></html>`;
}

/** A table of labels and values: `label` left, value right of it. */
export const pairs = (of: readonly (readonly [string, string])[], between = ' : ', css = ''): string =>
  `<table class="${css}">${of.map(([label, value]) => `<tr><td style="width:38%">${label}</td><td>${between}${value}</td></tr>`).join('')}</table>`;

/** Two pairs a row. */
export function pairs2(of: readonly (readonly [string, string])[], css = 'grid'): string {
  let rows = '';
  for (let start = 0; start < of.length; start += 2)
    rows += `<tr>${[of[start], of[start + 1]].map((pair) => `<td class="b">${pair?.[0] ?? ''}</td><td>${pair?.[1] ?? ''}</td>`).join('')}</tr>`;
  return `<table class="${css}">${rows}</table>`;
}

/** Labels in one row with the values below. */
export const below = (of: readonly (readonly [string, string])[], css = 'grid'): string =>
  `<table class="${css}"><tr>${of.map(([label]) => `<th>${label}</th>`).join('')}</tr><tr>${of.map(([, value]) => `<td>${value}</td>`).join('')}</tr></table>`;

export type Cell = string | number;

/** A table with a head, numbers of columns in `right` stand at the right. */
export function grid(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  right: readonly number[],
  css = 'grid',
): string {
  const side = (index: number): string => (right.includes(index) ? ' class="r nw"' : '');
  const line = (cells: readonly Cell[], tag: string): string =>
    `<tr>${cells.map((cell, index) => `<${tag}${side(index)}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table class="${css}"><thead>${line(head, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`;
}

/** Labels with amounts at the right. */
export const amounts = (of: readonly (readonly [string, string])[], css = 'lines'): string =>
  `<table class="${css}">${of.map(([label, value]) => `<tr><td>${label}</td><td class="r nw">${value}</td></tr>`).join('')}</table>`;
