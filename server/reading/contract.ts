import * as v from 'valibot';
import type { ItemView } from '#server/documents/contract.ts';

/** File types whose text is read. */
export const READ_TYPES: readonly string[] =
  'pdf docx odt rtf xlsx xlsm xlsb xls ods csv pptx odp txt html htm json xml xbrl sql fvu tax ret eml msg'.split(
    ' ',
  );

/** File types that are pictures of pages; they are read where reading of scans is on. */
export const PICTURE_TYPES: readonly string[] = 'jpg jpeg png webp heic heif tif tiff bmp gif'.split(' ');

/**
 * The reading state of a file: `waiting` in the queue; `read`; `no_text`, such as a scan; `refused`, with a reason;
 * `unread`, a type that is not read.
 */
export type TextState = 'waiting' | 'read' | 'no_text' | 'refused' | 'unread';

/** Why a file could not be read: a fault of the file, or of the process that read it. */
const TEXT_REFUSALS = ['locked', 'damaged', 'not_this_type', 'too_large', 'time', 'memory', 'crash'] as const;
export type TextRefusal = (typeof TEXT_REFUSALS)[number];

/** The response of `GET /api/documents/:id/reading`. */
export interface TextStateView {
  state: TextState;
  /** Null unless `refused`. */
  reason: TextRefusal | null;
  /** What a page is: a page, a slide or a sheet; `whole` for a file without pages. Null until it is read. */
  kind: 'page' | 'slide' | 'sheet' | 'whole' | null;
  pages: number | null;
  /** How many of the pages that were read have no text, such as scans. */
  pages_without_text: number | null;
  characters: number | null;
  /** Why only a part was read: too many pages, too much text, or too long; null when all was read. */
  cut: 'pages' | 'size' | 'time' | null;
  read_at: string | null;
  /** Progress on pages that are pictures; null for a file without such pages, and where scans are not read. */
  scan: {
    /** The number of such pages, and how many were processed, with or without success. */
    pages: number;
    read: number;
    /** How many of those could not be read. */
    failed: number;
    /** The mean confidence of the words in percent; null where there are none. */
    sure: number | null;
  } | null;
  /** Whether the firm's admins have paused reading. */
  paused: boolean;
}

/** The response of `GET /api/documents/:id/text`. */
export interface TextView extends TextStateView {
  texts: {
    /** From 1. */
    page: number;
    /** A sheet's name; '' for none. */
    label: string;
    /** Aadhaar numbers show only their last four digits. */
    text: string;
  }[];
}

/** A page that was read as a picture, for the preview to mark words on it. */
export interface ScanWordsPage {
  /** From 1. */
  page: number;
  /** As in `TextView`; each piece between blanks has a box. */
  text: string;
  /** Left, top, width and height of each word; see `PageText.boxes`. */
  boxes: number[];
}

/** The response of `GET /api/documents/:id/words`. */
export interface ScanWords {
  pages: ScanWordsPage[];
}

/** The response of `GET /api/reading`: the reading progress of all files that the user sees. */
export interface ReadingProgress {
  /** Files of a type that is read. */
  files: number;
  /** How many of them are processed. */
  read: number;
  waiting: number;
  /** How many of the processed files have no text, such as scans, or could not be read. */
  no_text: number;
  refused: number;
  paused: boolean;
  /** Whether this server reads at all. */
  on: boolean;
}

export const pauseReading = v.object({ paused: v.boolean('Say whether reading is paused: true or false.') });

/** A piece of a line; `marked` where it matches the query. */
export interface LinePiece {
  text: string;
  marked: boolean;
}

/** A file whose text matches a query. */
export interface TextHit {
  item: ItemView;
  /** The best matching page, from 1, and what a page is. */
  page: number;
  kind: 'page' | 'slide' | 'sheet' | 'whole';
  /** The name of the page, such as a sheet's; '' for none. */
  label: string;
  line: LinePiece[];
  /** The matched words as they are written on that page. */
  words: string[];
}

export interface TextHits {
  /** Newest first. */
  hits: TextHit[];
  /** Whether more files match. */
  more: boolean;
}

export const textUrl = (itemId: number): string => `/api/documents/${itemId}/text`;
export const textStateUrl = (itemId: number): string => `/api/documents/${itemId}/reading`;
export const wordsUrl = (itemId: number): string => `/api/documents/${itemId}/words`;
export const readAgainUrl = (itemId: number): string => `/api/documents/${itemId}/read`;
