/**
 * Why a file is withheld: its type cannot be masked (`type`); its text is unknown or uncertain (`unknown`); it opens
 * only with a password (`locked`); it has too many pages (`long`); it is a text with a number, which cannot be masked
 * (`number`).
 */
export const MASK_REASONS = ['type', 'unknown', 'locked', 'long', 'number'] as const;
export type MaskReason = (typeof MASK_REASONS)[number];

/**
 * What a masking link serves of a file: `clear`, what its pages show without covering anything, or a text as it is;
 * `masked`, pictures of its pages with the numbers covered; `waiting`, nothing yet.
 */
export type MaskVerdict = { state: 'clear' | 'masked' | 'waiting' } | { state: 'withheld'; why: MaskReason };

/** The response of `POST /api/shares/check`: what a masking link to these items would serve today. */
export interface MaskCheck {
  files: number;
  /** Files with covered numbers. */
  masked: number;
  /** Files known to have an Aadhaar number, which a link that does not mask shows. */
  numbered: number;
  /** Files still being read or masked. */
  waiting: number;
  withheld: number;
  /** The first withheld files. */
  names: { name: string; why: MaskReason }[];
  /** Whether there are more files than were checked. */
  more: boolean;
  /** PDFs that open only with a password that the office knows. */
  locked: number;
}

/** Files checked per request, so that a dialog does not wait for a large folder. */
export const CHECKED_MAX = 200;

/** File types whose pages are masked. */
export const PAGE_TYPES: readonly string[] = 'pdf jpg jpeg png webp heic heif tif tiff bmp gif'.split(' ');
/** Types of which a copy without metadata is made in the same type; of others it is a PDF. */
const COPIED_TYPES = new Set('pdf jpg jpeg png webp gif'.split(' '));
/** The type of the copy of a file without numbers. */
export const copyType = (fileType: string): string => (COPIED_TYPES.has(fileType) ? fileType : 'pdf');

/** Text types, which are served only if they contain no number. */
export const TEXT_TYPES: readonly string[] = 'txt csv json xml xbrl htm html sql fvu tax ret'.split(' ');
