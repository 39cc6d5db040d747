/**
 * Why a file is withheld: its type cannot be covered (`type`); what it says is not known, or not well enough to be sure
 * (`unknown`); it opens only with a password (`locked`); it has too many pages (`long`); it has a number, and is a text that
 * cannot be covered (`number`).
 */
export const MASK_REASONS = ['type', 'unknown', 'locked', 'long', 'number'] as const;
export type MaskReason = (typeof MASK_REASONS)[number];

/** What a link that covers Aadhaar numbers gives of a file: `clear`, as it is; `masked`, pictures of its pages with the numbers covered; `waiting`, nothing yet. */
export type MaskVerdict = { state: 'clear' | 'masked' | 'waiting' } | { state: 'withheld'; why: MaskReason };

/** The answer of `POST /api/shares/check`: what a link to these items that covers Aadhaar numbers would give today. */
export interface MaskCheck {
  files: number;
  /** Of which numbers are covered. */
  masked: number;
  /** Still being read, or covered just now. */
  waiting: number;
  withheld: number;
  /** The first of those withheld. */
  names: { name: string; why: MaskReason }[];
  /** Whether there are more files than were looked at. */
  more: boolean;
  /** PDFs among them that open only with a password which the office knows. */
  locked: number;
}

/** Files of a selection that are looked at, so that a dialog needs not wait for a whole drawer. */
export const CHECKED_MAX = 200;

/** Types of which pages are covered. */
export const PAGE_TYPES: readonly string[] = 'pdf jpg jpeg png webp heic heif tif tiff bmp gif'.split(' ');
/** Texts, which are given only where no number stands in them. */
export const TEXT_TYPES: readonly string[] = 'txt csv json xml xbrl htm html sql fvu tax ret'.split(' ');
