import { extensionOf } from '#server/text/extension.ts';

export const MAX_FILE_BYTES = 5_368_709_120;
export const TOO_LARGE = 'File size cannot exceed 5GB';
export const unsupported = (ext: string) => `File type "${ext}" is not supported`;
/** Whether a reason for a refusal is the type of the file. */
export const isUnsupported = (reason: string): boolean => /^File type ".*" is not supported$/s.test(reason);

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
