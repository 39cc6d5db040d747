import type { Box, Recognised } from '#server/recognition/contract.ts';

/** Who saw a word of a scan: the networks, Tesseract, or both, and alike. */
export type Seen = 'n' | 't' | 'b';

/** What was read of a page that is a picture. */
export interface ScannedPage {
  /** From 1. */
  page: number;
  /** Lines, with one blank between words. */
  text: string;
  /** As those of `PageText`. */
  boxes: number[];
  /** Of each word, in percent. */
  sure: number[];
  /** Of each word a letter, see `Seen`. */
  seen: string;
  /** QR codes that may be of an e-invoice; absent where there are none. */
  codes?: PageCode[];
}

/** A QR code on a page. */
export interface PageCode {
  text: string;
  box: Box;
}

/** What the server sends to the process that reads the text of files. */
export interface ReadingOrder {
  bytes: Uint8Array;
  fileType: string;
  /** What was read of its pages as pictures. */
  scanned: ScannedPage[];
  /** What is tried on a locked PDF, after the empty password. */
  passwords: string[];
  /** The second and last time that it is tried: less of the file is read, so that some of it is. */
  again: boolean;
}

/** What a page of a file says. */
export interface PageText {
  /** From 1. */
  page: number;
  /** What its author calls it, such as a sheet's name; '' for none. */
  label: string;
  /** Lines, without Aadhaar numbers; '' where there is no text but perhaps a picture of it. */
  text: string;
  /**
   * Of a PDF or a picture: left, top, width and height of each word (what stands between blanks) one after another, in
   * tenths of a point from the upper left corner of the page as it is shown. A picture counts as 842 points along its
   * longer side, as a page of A4 has.
   */
  boxes?: number[];
  /** Of a scan: how sure each word is, in percent. */
  sure?: number[];
  /** Of a scan: who saw each word, a letter each, see `Seen`. */
  seen?: string;
  /** Of a scan: where its text goes on in a cell of a table, see `acrossOf`; absent where it does nowhere. */
  across?: number[];
  /** QR codes that may be of an e-invoice; absent where there are none. */
  codes?: PageCode[];
}

/** What the pages of a file are. */
export type PageKind = 'page' | 'slide' | 'sheet' | 'whole';

/** Why less than all of a file was read. */
const CUTS = ['pages', 'size', 'time'] as const;
export type Cut = (typeof CUTS)[number];

export interface FileText {
  kind: PageKind;
  pages: PageText[];
  /** That the file has, read or not. */
  count: number;
  cut: Cut | null;
  /** The place of the password that opened it, from 0; absent where none was needed. */
  password?: number;
}

/** Why a file has no text for us. */
export type Refusal = 'locked' | 'damaged' | 'not_this_type' | 'too_large';

/** What the process answers. */
export type MadeText =
  | {
      /** To be kept, see `packed.ts`. */
      packed: Uint8Array;
      kind: PageKind;
      count: number;
      /** How many of those that were read have no text. */
      without: number;
      /** Pages without text that were not read as pictures yet. */
      unscanned: number[];
      /** The place of the password that opened it, from 0; null where none was needed. */
      password: number | null;
      /** How sure the words of scans are, in percent; null where there are none. */
      sure: number | null;
      characters: number;
      cut: Cut | null;
      /** The different words, with line ends between. */
      terms: string;
      /** All words in their order, by their place among the terms. */
      sequence: Uint32Array;
      /** Days, years and Aadhaar numbers, of which there may be several forms: `day 2026-04-07`; line ends between. */
      named: string;
      /** What it is and what it says; null where that could not be told. */
      recognised: Recognised | null;
    }
  | { refused: Refusal; why: string };
