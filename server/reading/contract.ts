import * as v from 'valibot';
import type { ItemView } from '#server/documents/contract.ts';

/** Types whose text is read. */
export const READ_TYPES: readonly string[] =
  'pdf docx odt rtf xlsx xlsm xlsb xls ods csv pptx odp txt html htm json xml xbrl sql fvu tax ret eml msg'.split(
    ' ',
  );

/** Types that are pictures of pages, which are read where scans are. */
export const PICTURE_TYPES: readonly string[] = 'jpg jpeg png webp heic heif tif tiff bmp gif'.split(' ');

/**
 * How far a file is: `waiting` to be read; `read`; `no_text`, such as a scan; `refused`, for a reason; `unread`, a type
 * of which no text is read.
 */
export type TextState = 'waiting' | 'read' | 'no_text' | 'refused' | 'unread';

/** Why a file could not be read: its own fault, or that it took too much of the process that read it. */
const TEXT_REFUSALS = ['locked', 'damaged', 'not_this_type', 'too_large', 'time', 'memory', 'crash'] as const;
export type TextRefusal = (typeof TEXT_REFUSALS)[number];

/** The answer of `GET /api/documents/:id/reading`. */
export interface TextStateView {
  state: TextState;
  /** Null unless `refused`. */
  reason: TextRefusal | null;
  /** What `pages` counts: pages, slides or sheets; `whole` for what has none. Null until it was read. */
  kind: 'page' | 'slide' | 'sheet' | 'whole' | null;
  pages: number | null;
  /** Of those that were read: how many have no text, such as scans. */
  pages_without_text: number | null;
  characters: number | null;
  /** Why less than all of it was read: too many pages, too much text, or too long; null when all was. */
  cut: 'pages' | 'size' | 'time' | null;
  read_at: string | null;
  /** Of a file with pages that are pictures; null for another one, and where scans are not read. */
  scan: {
    /** Such pages, and those of them that were dealt with. */
    pages: number;
    read: number;
    /** Of these: could not be read. */
    failed: number;
    /** How sure the words are, in percent; null where there are none. */
    sure: number | null;
  } | null;
  /** Whether the firm's admins have paused reading. */
  paused: boolean;
}

/** The answer of `GET /api/documents/:id/text`. */
export interface TextView extends TextStateView {
  texts: {
    /** From 1. */
    page: number;
    /** A sheet's name; '' for none. */
    label: string;
    /** Of Aadhaar numbers only the last four digits. */
    text: string;
  }[];
}

/** A page that was read as a picture, for whoever marks words on it. */
export interface ScanWordsPage {
  /** From 1. */
  page: number;
  /** As in `TextView`: a box for each piece between blanks. */
  text: string;
  /** Left, top, width and height of each word, see `Box` of the recognition. */
  boxes: number[];
}

/** The answer of `GET /api/documents/:id/words`. */
export interface ScanWords {
  pages: ScanWordsPage[];
}

/** The answer of `GET /api/reading`: how many of the files that one sees are read, and what came of it. */
export interface ReadingProgress {
  /** Files of types that are read. */
  files: number;
  /** Of these, dealt with. */
  read: number;
  waiting: number;
  /** Of those dealt with: scans and the like, and files that could not be read. */
  no_text: number;
  refused: number;
  paused: boolean;
  /** Whether this server reads at all. */
  on: boolean;
}

export const pauseReading = v.object({ paused: v.boolean('Say whether reading is paused: true or false.') });

/** A piece of a line; `marked` where it is what was looked for. */
export interface LinePiece {
  text: string;
  marked: boolean;
}

/** A file in whose text the words of a query stand. */
export interface TextHit {
  item: ItemView;
  /** Where they stand: from 1, and what such a page is. */
  page: number;
  kind: 'page' | 'slide' | 'sheet' | 'whole';
  /** What the page is called, such as a sheet's name; '' for none. */
  label: string;
  line: LinePiece[];
  /** What was looked for, each as it stands on that page. */
  words: string[];
}

export interface TextHits {
  /** The newest first. */
  hits: TextHit[];
  /** Whether there are others. */
  more: boolean;
}

export const textUrl = (itemId: number): string => `/api/documents/${itemId}/text`;
export const textStateUrl = (itemId: number): string => `/api/documents/${itemId}/reading`;
export const wordsUrl = (itemId: number): string => `/api/documents/${itemId}/words`;
export const readAgainUrl = (itemId: number): string => `/api/documents/${itemId}/read`;
