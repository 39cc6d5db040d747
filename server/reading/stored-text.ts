import { gunzipSync, gzipSync } from 'node:zlib';
import type { FileText, PageKind, PageText } from './readers/contract.ts';

/** The stored text of a file. Details of single words are stored apart, since they are seldom needed. */
export interface StoredText {
  kind: PageKind;
  pages: Pick<PageText, 'page' | 'label' | 'text' | 'across'>[];
}

/** The words of a page; see `PageText`. */
export interface StoredWords {
  boxes: number[];
  sure?: number[];
  seen?: string;
}

/** Bytes of the header. */
export const HEADER_BYTES = 5;
/** Version 1 stored only the boxes of words in the second part. */
const [VERSION_1, VERSION] = [1, 2];

/**
 * The format: one byte of version, four bytes with the length of the first part, then two gzipped parts of JSON: the
 * pages and the words.
 */
export function packText({ kind, pages }: Pick<FileText, 'kind' | 'pages'>): Buffer {
  const texts: StoredText = {
    kind,
    pages: pages.map(({ page, label, text, across }) => ({ page, label, text, ...(across && { across }) })),
  };
  const words = pages.map(({ boxes = [], sure, seen }): StoredWords => ({
    boxes,
    ...(sure && { sure }),
    ...(seen && { seen }),
  }));
  const textPart = gzipSync(JSON.stringify(texts));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(VERSION);
  header.writeUInt32LE(textPart.length, 1);
  return Buffer.concat([header, textPart, gzipSync(JSON.stringify(words))]);
}

/** The offset at which the first part ends, by the header. */
export const textsEnd = (packed: Buffer): number => {
  if (packed.readUInt8(0) > VERSION) throw new Error('It was kept by a newer version.');
  return HEADER_BYTES + packed.readUInt32LE(1);
};

export const unpackText = (packed: Buffer): StoredText =>
  JSON.parse(gunzipSync(packed.subarray(HEADER_BYTES, textsEnd(packed))).toString()) as StoredText;

/** The words of each page, in the order of the pages. */
export function unpackWords(packed: Buffer): StoredWords[] {
  const pages: unknown = JSON.parse(gunzipSync(packed.subarray(textsEnd(packed))).toString());
  if (packed.readUInt8(0) > VERSION_1) return pages as StoredWords[];
  return (pages as number[][]).map((boxes) => ({ boxes }));
}
