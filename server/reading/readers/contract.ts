import type { Box, Recognised } from '#server/recognition/contract.ts';

/** Which recogniser read a word of a scan: the networks, Tesseract, or both with the same text. */
export type Seen = 'n' | 't' | 'b';

/** A page that was read as a picture. */
export interface ScannedPage {
  /** From 1. */
  page: number;
  /** Lines; one blank between words. */
  text: string;
  /** As `PageText.boxes`. */
  boxes: number[];
  /** The confidence of each word, in percent. */
  sure: number[];
  /** The recogniser of each word, one letter each, see `Seen`. */
  seen: string;
  /** QR codes that may be of an e-invoice; absent where there are none. */
  codes?: PageCode[];
}

/** A QR code on a page. */
export interface PageCode {
  text: string;
  box: Box;
}

/** The request to the process that reads the text of files. */
export interface ReadRequest {
  bytes: Uint8Array;
  fileType: string;
  /** The pages that were already read as pictures. */
  scanned: ScannedPage[];
  /** Passwords to try on a locked PDF, after the empty one. */
  passwords: string[];
  /** The second and last attempt: less of the file is read, so that some of it is. */
  isRetry: boolean;
}

/** The request to make the index entry and the recognised values again from a stored text, see `stored-text.ts`. */
export interface StoredRequest {
  stored: Uint8Array;
  fileType: string;
}

/** The text of a page. */
export interface PageText {
  /** From 1. */
  page: number;
  /** The author's name of the page, such as a sheet's; '' for none. */
  label: string;
  /** Lines; Aadhaar numbers are masked. '' for a page without text, which may be a scan. */
  text: string;
  /**
   * PDFs and pictures: left, top, width and height of each word (a piece between blanks) one after another, in tenths
   * of a point from the upper left corner of the page as shown. A picture is 842 points along its longer side, as A4
   * is.
   */
  boxes?: number[];
  /** Scans: the confidence of each word, in percent. */
  sure?: number[];
  /** Scans: the recogniser of each word, one letter each, see `Seen`. */
  seen?: string;
  /** Scans: where the text of a table cell continues in its next line, see `cellContinuations`. */
  across?: number[];
  /** QR codes that may be of an e-invoice; absent where there are none. */
  codes?: PageCode[];
}

/** What a page is. */
export type PageKind = 'page' | 'slide' | 'sheet' | 'whole';

/** Why only a part of a file was read. */
const CUTS = ['pages', 'size', 'time'] as const;
export type Cut = (typeof CUTS)[number];

export interface FileText {
  kind: PageKind;
  pages: PageText[];
  /** The number of pages in the file, read or not. */
  count: number;
  cut: Cut | null;
  /** The index of the password that opened it; absent where none was needed. */
  password?: number;
}

/** Why a file could not be read. */
export type Refusal = 'locked' | 'damaged' | 'not_this_type' | 'too_large';

/** The response of the process. */
export type ReadResponse =
  | {
      /** The stored form, see `stored-text.ts`. */
      packed: Uint8Array;
      kind: PageKind;
      count: number;
      /** How many of the pages that were read have no text. */
      without: number;
      /** Pages without text that were not yet read as pictures. */
      unscanned: number[];
      /** The index of the password that opened it; null where none was needed. */
      password: number | null;
      /** The mean confidence of the words of scans, in percent; null where there are none. */
      sure: number | null;
      characters: number;
      cut: Cut | null;
      /** The distinct words, separated by line ends. */
      terms: string;
      /** All words in order, as indexes into `terms`. */
      sequence: Uint32Array;
      /** Dates, years and Aadhaar numbers in a normal form: `day 2026-04-07`; separated by line ends. */
      named: string;
      /** The document type and fields; null where recognition failed. */
      recognised: Recognised | null;
    }
  | { refused: Refusal; why: string }
  /** A stored text tells less than its file. */
  | { needsFile: true };
