export type FileGroup =
  | 'folder'
  | 'pdf'
  | 'word'
  | 'sheet'
  | 'slides'
  | 'image'
  | 'video'
  | 'audio'
  | 'archive'
  | 'text'
  | 'data'
  | 'drawing'
  | 'design'
  | 'other';

const EXTENSIONS: Record<Exclude<FileGroup, 'folder' | 'other'>, string> = {
  pdf: 'pdf',
  word: 'doc docx rtf',
  sheet: 'xls xlsx csv',
  slides: 'ppt pptx',
  image: 'jpg jpeg png gif bmp webp svg tiff',
  video: 'mp4 avi mkv mov wmv flv webm m4v 3gp',
  audio: 'mp3 wav flac aac ogg wma m4a',
  archive: 'zip rar 7z tar gz bz2',
  text: 'txt',
  data: 'json xml sql',
  drawing: 'dwg dxf',
  design: 'eps ai psd',
};

const GROUPS = new Map(
  Object.entries(EXTENSIONS).flatMap(([group, list]) =>
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
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  archive: 'Archive',
  text: 'Text',
  data: 'Data',
  drawing: 'Drawing',
  design: 'Design',
  other: 'File',
};
