import { gunzipSync, gzipSync } from 'node:zlib';
import type { FileText, PageKind, PageText } from './readers/contract.ts';

/** What is kept of a file's text: its pages, and apart from them what is known of words, which is seldom asked for. */
export interface KeptText {
  kind: PageKind;
  pages: Pick<PageText, 'page' | 'label' | 'text' | 'across'>[];
}

/** Of a page: see `PageText`. */
export interface KeptWords {
  boxes: number[];
  sure?: number[];
  seen?: string;
}

/** Bytes in front of the texts. */
export const HEAD = 5;
/** The first one kept no more than the boxes of words in the second part. */
const [FIRST, VERSION] = [1, 2];

/** One byte of version, four of the length of the first part, then two parts of JSON, each gzipped: pages, words. */
export function packText({ kind, pages }: Pick<FileText, 'kind' | 'pages'>): Buffer {
  const texts: KeptText = {
    kind,
    pages: pages.map(({ page, label, text, across }) => ({ page, label, text, ...(across && { across }) })),
  };
  const words = pages.map(({ boxes = [], sure, seen }): KeptWords => ({
    boxes,
    ...(sure && { sure }),
    ...(seen && { seen }),
  }));
  const first = gzipSync(JSON.stringify(texts));
  const head = Buffer.alloc(HEAD);
  head.writeUInt8(VERSION);
  head.writeUInt32LE(first.length, 1);
  return Buffer.concat([head, first, gzipSync(JSON.stringify(words))]);
}

/** Where the texts end, by what stands in front of them. */
export const textsEnd = (packed: Buffer): number => {
  if (packed.readUInt8(0) > VERSION) throw new Error('It was kept by a newer version.');
  return HEAD + packed.readUInt32LE(1);
};

export const unpackText = (packed: Buffer): KeptText =>
  JSON.parse(gunzipSync(packed.subarray(HEAD, textsEnd(packed))).toString()) as KeptText;

/** Of each page, in the order of the pages, what is known of its words. */
export function unpackWords(packed: Buffer): KeptWords[] {
  const part: unknown = JSON.parse(gunzipSync(packed.subarray(textsEnd(packed))).toString());
  if (packed.readUInt8(0) > FIRST) return part as KeptWords[];
  return (part as number[][]).map((boxes) => ({ boxes }));
}
