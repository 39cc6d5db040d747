import { gunzipSync, gzipSync } from 'node:zlib';
import type { FileText, PageKind, PageText } from './readers/contract.ts';

/** What is kept of a file's text: its pages, and apart from them the boxes of words, which are seldom asked for. */
export interface KeptText {
  kind: PageKind;
  pages: Omit<PageText, 'boxes'>[];
}

const HEAD = 5;
const VERSION = 1;

/** One byte of version, four of the length of the first part, then two parts of JSON, each gzipped: pages, boxes. */
export function packText({ kind, pages }: Pick<FileText, 'kind' | 'pages'>): Buffer {
  const texts: KeptText = { kind, pages: pages.map(({ page, label, text }) => ({ page, label, text })) };
  const boxes = pages.map(({ boxes = [] }) => boxes);
  const first = gzipSync(JSON.stringify(texts));
  const head = Buffer.alloc(HEAD);
  head.writeUInt8(VERSION);
  head.writeUInt32LE(first.length, 1);
  return Buffer.concat([head, first, gzipSync(JSON.stringify(boxes))]);
}

const firstEnd = (packed: Buffer): number => {
  if (packed.readUInt8(0) !== VERSION) throw new Error('It was kept by a newer version.');
  return HEAD + packed.readUInt32LE(1);
};

export const unpackText = (packed: Buffer): KeptText =>
  JSON.parse(gunzipSync(packed.subarray(HEAD, firstEnd(packed))).toString()) as KeptText;

/** Of each page, in the order of the pages; see `PageText`. */
export const unpackBoxes = (packed: Buffer): number[][] =>
  JSON.parse(gunzipSync(packed.subarray(firstEnd(packed))).toString()) as number[][];
