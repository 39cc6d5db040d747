import type { FileKind } from '#server/documents/contract.ts';
import { FILE_GROUPS } from '#server/documents/contract.ts';

export type FileGroup = FileKind | 'folder' | 'other';

const GROUPS = new Map(
  Object.entries(FILE_GROUPS).flatMap(([group, list]) =>
    list.split(' ').map((extension) => [extension, group as FileGroup] as const),
  ),
);

/** The group an extension (without the dot, lower case) belongs to; null is a folder. */
export const fileGroup = (fileType: string | null): FileGroup =>
  fileType === null ? 'folder' : (GROUPS.get(fileType) ?? 'other');

/** The group in words, for readers and filters. */
export const GROUP_NAMES: Record<FileGroup, string> = {
  folder: 'Folder',
  pdf: 'PDF',
  word: 'Document',
  sheet: 'Spreadsheet',
  slides: 'Presentation',
  mail: 'E-mail',
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  archive: 'Archive',
  text: 'Text',
  data: 'Data',
  return: 'Tax return',
  certificate: 'Certificate or key',
  drawing: 'Drawing',
  design: 'Design',
  other: 'File',
};
