import type { FileKind } from '#server/documents/contract.ts';
import { FILE_GROUPS } from '#server/documents/contract.ts';
import * as files from '#messages/files.ts';

export type FileGroup = FileKind | 'folder' | 'other';

const GROUPS = new Map(
  Object.entries(FILE_GROUPS).flatMap(([group, list]) =>
    list.split(' ').map((extension) => [extension, group as FileGroup] as const),
  ),
);

/** The group of an extension (lower case, without the dot); null is a folder. */
export const fileGroup = (fileType: string | null): FileGroup =>
  fileType === null ? 'folder' : (GROUPS.get(fileType) ?? 'other');

/** Group names for screen readers and filters. */
export const GROUP_NAMES: Record<FileGroup, string> = {
  folder: files.folder,
  pdf: files.pdf,
  word: files.document,
  sheet: files.spreadsheet,
  slides: files.presentation,
  mail: 'E-mail',
  image: files.image,
  video: files.video,
  audio: files.audio,
  archive: files.archive,
  text: files.text,
  data: files.data,
  return: files.taxReturn,
  certificate: files.certificate,
  drawing: files.drawing,
  design: files.design,
  other: files.file,
};
