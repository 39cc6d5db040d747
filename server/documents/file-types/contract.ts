import { extensionOf } from '#server/text/extension.ts';

export const MAX_FILE_BYTES = 5_368_709_120;
export const TOO_LARGE = 'File size cannot exceed 5GB';
export const unsupported = (ext: string) => `File type "${ext}" is not supported`;

/** The specification's types, and below them what an office in India receives besides. Nothing is ever run. */
export const ALLOWED_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'pdf doc docx xls xlsx ppt pptx txt rtf jpg jpeg png gif bmp webp svg tiff mp4 avi mkv mov wmv flv webm m4v 3gp ' +
    'mp3 wav flac aac ogg wma m4a zip rar 7z tar gz bz2 csv json xml sql dwg dxf eps ai psd ' +
    'tif heic heif eml msg xlsm xlsb ods odt odp htm html fvu pfx p12 p7s key tax ret xbrl zipx'
  ).split(' '),
);

/** Why a file of this name and size is not kept; null when it is. */
export function refusedFile(name: string, size: number): string | null {
  const extension = extensionOf(name);
  if (!ALLOWED_EXTENSIONS.has(extension)) return unsupported(extension);
  return size > MAX_FILE_BYTES ? TOO_LARGE : null;
}

const PREVIEWABLE = {
  image: 'jpg jpeg png gif webp bmp svg'.split(' '),
  video: 'mp4 webm ogg mov avi mkv'.split(' '),
  pdf: ['pdf'],
  /** Shown as they are written, never interpreted. */
  text: 'txt json xml sql fvu xbrl'.split(' '),
  /** Turned into pictures by the server, page by page. */
  scan: 'tiff tif heic heif'.split(' '),
  /** Rows and columns. */
  table: 'csv xlsx xlsm xlsb xls ods'.split(' '),
  /** Its text, with its pictures and tables. */
  document: 'docx html htm'.split(' '),
  mail: 'eml msg'.split(' '),
  /** Its list of contents. */
  archive: ['zip'],
};
export type PreviewKind = keyof typeof PREVIEWABLE;

export function previewKind(fileType: string | null): PreviewKind | null {
  const kinds = Object.keys(PREVIEWABLE) as PreviewKind[];
  return kinds.find((kind) => PREVIEWABLE[kind].includes(fileType ?? '')) ?? null;
}

/** Kinds of files as people tell them apart, and their extensions. */
export const FILE_GROUPS = {
  pdf: 'pdf',
  word: 'doc docx odt rtf',
  sheet: 'xls xlsx xlsm xlsb ods csv',
  slides: 'ppt pptx odp',
  mail: 'eml msg',
  image: 'jpg jpeg png gif bmp webp svg tiff tif heic heif',
  video: 'mp4 avi mkv mov wmv flv webm m4v 3gp',
  audio: 'mp3 wav flac aac ogg wma m4a',
  archive: 'zip zipx rar 7z tar gz bz2',
  text: 'txt html htm',
  data: 'json xml sql xbrl',
  /** Prepared for the tax department by its own programs and by others. */
  return: 'fvu tax ret',
  /** Keys and signatures. */
  certificate: 'pfx p12 p7s key',
  drawing: 'dwg dxf',
  design: 'eps ai psd',
} as const;
export type FileKind = keyof typeof FILE_GROUPS;
