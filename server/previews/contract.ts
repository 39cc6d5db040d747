import { FILE_GROUPS, previewKind } from '#server/documents/contract.ts';

/** Types of which the server makes a small picture. */
const PICTURED = new Set([...FILE_GROUPS.image.split(' '), 'pdf']);
/** Bytes; what is larger gets no picture. */
export const PICTURED_MAX = 100 * 1024 * 1024;

export const hasThumbnail = (fileType: string | null, size: number | null): boolean =>
  PICTURED.has(fileType ?? '') && (size ?? 0) > 0 && (size ?? 0) <= PICTURED_MAX;
/** Whether the server turns its pages into pictures, because no browser shows them. */
export const hasPages = (fileType: string | null): boolean => previewKind(fileType) === 'scan';

export const thumbnailUrl = (itemId: number): string => `/api/documents/${itemId}/thumbnail`;
export const pageUrl = (itemId: number, page: number): string => `/api/documents/${itemId}/pages/${page}`;

/** The answer of `GET /api/documents/:id/pages`. */
export interface PagesView {
  pages: number;
}
