import type { PreviewKind } from '#server/documents/contract.ts';
import { FILE_GROUPS, previewKind } from '#server/documents/contract.ts';

/** Types of which the server makes a small picture. */
const PICTURED = new Set([...FILE_GROUPS.image.split(' '), 'pdf']);
/** Bytes; what is larger gets no picture. */
export const PICTURED_MAX = 100 * 1024 * 1024;

export const hasThumbnail = (fileType: string | null, size: number | null): boolean =>
  PICTURED.has(fileType ?? '') && (size ?? 0) > 0 && (size ?? 0) <= PICTURED_MAX;
const VIEWED: ReadonlySet<PreviewKind | null> = new Set<PreviewKind>(['table', 'document', 'mail']);
/** Whether the server reads what it holds, for viewers of ours to draw. */
export const hasView = (fileType: string | null): boolean => VIEWED.has(previewKind(fileType));
/** Whether the server turns its pages into pictures, because no browser shows them. */
export const hasPages = (fileType: string | null): boolean => previewKind(fileType) === 'scan';

const STAMPED: ReadonlySet<PreviewKind | null> = new Set<PreviewKind>([
  'image',
  'pdf',
  'scan',
  'text',
  'table',
  'document',
  'mail',
]);
/** Whether one who may only look is shown its pages, as pictures with the name of who looks across them. */
export const hasStampedPages = (fileType: string | null): boolean => STAMPED.has(previewKind(fileType));
/** Whether pages are shown of a file within another one, of this many bytes. */
export const hasInnerPages = (fileType: string | null, size: number): boolean =>
  hasStampedPages(fileType) && size > 0 && size <= PICTURED_MAX;
export const NOT_WITHOUT_DOWNLOAD = "This type can't be viewed without download permission. Ask your admin.";

export const thumbnailUrl = (itemId: number): string => `/api/documents/${itemId}/thumbnail`;

// Of a `source`: the address of a file, or of one of its versions.

export const pagesUrl = (source: string): string => `${source}/pages`;
export const pageUrl = (source: string, page: number): string => `${source}/pages/${page}`;

/** The answer of `GET /api/documents/:id/pages`. */
export interface PagesView {
  pages: number;
}

/** A number as its format writes it, to be set to the right. */
export interface Figure {
  n: string;
}
/** As it is shown, never as it is computed; '' is empty. */
export type Cell = string | Figure;

export interface SheetView {
  /** Among all sheets of the workbook, hidden ones too, from 1; absent where it has no sheets. */
  number?: number | undefined;
  /** '' in a file that has only one. */
  name: string;
  /** From the first row of the sheet, empty ones too; each ends with its last cell that is not empty. */
  rows: Cell[][];
  /** Rows and columns that have something in them, shown or not. */
  total_rows: number;
  total_columns: number;
}

export interface MailPerson {
  name: string;
  address: string;
}

export interface MailAttachment {
  /** Its place in the e-mail, from 1, by which it is asked for. */
  index: number;
  name: string;
  /** Bytes. */
  size: number;
}

/** The answer of `GET /api/documents/:id/view`: what a file holds, for viewers of ours to draw. */
export type FileView =
  | { kind: 'table'; sheets: SheetView[] }
  | { kind: 'document'; remote_pictures: number }
  | {
      kind: 'mail';
      subject: string;
      from: MailPerson[];
      to: MailPerson[];
      cc: MailPerson[];
      /** ISO 8601, UTC; null when the e-mail does not say it readably. */
      sent_at: string | null;
      attachments: MailAttachment[];
      /** Left out, because loading them would tell the sender. */
      remote_pictures: number;
    }
  /** Nothing of it can be read without its password. */
  | { kind: 'locked' };

/** What is shown of a sheet. */
export const ROWS_SHOWN = 5000;
export const COLUMNS_SHOWN = 200;

export const viewUrl = (source: string): string => `${source}/view`;
/** HTML without scripts, links or anything from elsewhere, for a sandboxed frame. */
export const bodyUrl = (source: string): string => `${source}/view/body`;
export const attachmentUrl = (source: string, index: number): string => `${source}/attachments/${index}`;
