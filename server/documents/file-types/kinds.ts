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
