import type { PreviewKind } from '#server/documents/contract.ts';
import { FILE_GROUPS, previewKind } from '#server/documents/contract.ts';

/** File types with a thumbnail. */
const PICTURED = new Set([...FILE_GROUPS.image.split(' '), 'pdf']);
/** Bytes; larger files have no pictures. */
export const PICTURED_MAX = 100 * 1024 * 1024;

export const hasThumbnail = (fileType: string | null, size: number | null): boolean =>
  PICTURED.has(fileType ?? '') && (size ?? 0) > 0 && (size ?? 0) <= PICTURED_MAX;
const VIEWED: ReadonlySet<PreviewKind | null> = new Set<PreviewKind>(['table', 'document', 'mail']);
/** Whether the server extracts the content of this type for the viewers of the site. */
export const hasView = (fileType: string | null): boolean => VIEWED.has(previewKind(fileType));
/** Whether the server renders the pages of this type as pictures because browsers cannot show it. */
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
/** Whether a user without download permission can view this type, as pictures of pages stamped with the user's name. */
export const hasStampedPages = (fileType: string | null): boolean => STAMPED.has(previewKind(fileType));
/** Whether a file of this size inside another file has pictures of pages. */
export const hasInnerPages = (fileType: string | null, size: number): boolean =>
  hasStampedPages(fileType) && size > 0 && size <= PICTURED_MAX;
export const NOT_WITHOUT_DOWNLOAD = "This type can't be viewed without download permission. Ask your admin.";

export const thumbnailUrl = (itemId: number): string => `/api/documents/${itemId}/thumbnail`;

// A `source` is the URL of a file or of one of its versions.

export const pagesUrl = (source: string): string => `${source}/pages`;
export const pageUrl = (source: string, page: number): string => `${source}/pages/${page}`;

/** The response of `GET /api/documents/:id/pages`. */
export interface PagesView {
  pages: number;
}

/** A formatted number, aligned to the right. */
export interface Figure {
  n: string;
}
/** The displayed text of a cell, never its formula; '' for an empty one. */
export type Cell = string | Figure;

export interface SheetView {
  /** The position among all sheets of the workbook, including hidden ones, from 1; absent for formats without sheets. */
  number?: number | undefined;
  /** '' for a format without sheets. */
  name: string;
  /** From the first row of the sheet, including empty rows; each ends with its last non-empty cell. */
  rows: Cell[][];
  /** The extent of the content in rows and columns, including the part that is not shown. */
  total_rows: number;
  total_columns: number;
}

export interface MailPerson {
  name: string;
  address: string;
}

export interface MailAttachment {
  /** The position in the e-mail, from 1; part of the attachment's URL. */
  index: number;
  name: string;
  /** Bytes. */
  size: number;
}

/** The response of `GET /api/documents/:id/view`: the content of a file for the viewers of the site. */
export type FileView =
  | { kind: 'table'; sheets: SheetView[] }
  | { kind: 'document'; remote_pictures: number }
  | {
      kind: 'mail';
      subject: string;
      from: MailPerson[];
      to: MailPerson[];
      cc: MailPerson[];
      /** ISO 8601, UTC; null without a valid date. */
      sent_at: string | null;
      attachments: MailAttachment[];
      /** The number of remote pictures, which are removed because loading them would notify the sender. */
      remote_pictures: number;
    }
  /** The file is encrypted. */
  | { kind: 'locked' };

/** The largest part of a sheet that is shown. */
export const ROWS_SHOWN = 5000;
export const COLUMNS_SHOWN = 200;

export const viewUrl = (source: string): string => `${source}/view`;
/** HTML without scripts, links or remote content, for a sandboxed frame. */
export const bodyUrl = (source: string): string => `${source}/view/body`;
export const attachmentUrl = (source: string, index: number): string => `${source}/attachments/${index}`;
