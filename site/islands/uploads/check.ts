import {
  ALLOWED_EXTENSIONS,
  extensionOf,
  MAX_FILE_BYTES,
  TOO_LARGE,
  unsupported,
} from '#server/documents/contract.ts';

export const NOTHING_CHOSEN = 'Please select files to upload';

type Checked = Pick<File, 'name' | 'size'>;

/** Why the server would refuse this file, told before a byte is sent; empty when it would not. */
export function problems({ name, size }: Checked): string[] {
  const extension = extensionOf(name);
  return [
    ...(size > MAX_FILE_BYTES ? [TOO_LARGE] : []),
    ...(ALLOWED_EXTENSIONS.has(extension) ? [] : [unsupported(extension)]),
  ];
}

/** What stops these files from being uploaded: the first of them that cannot be, with its reasons; null when all can. */
export function refusal(files: readonly Checked[]): string | null {
  if (files.length === 0) return NOTHING_CHOSEN;
  for (const file of files) {
    const reasons = problems(file);
    if (reasons.length > 0) return `${file.name}: ${reasons.join(', ')}`;
  }
  return null;
}

const JUNK = new Set(['.ds_store', 'thumbs.db', 'desktop.ini', '__macosx']);

/** What operating systems leave in folders and nobody means to keep. */
export const isJunk = (path: readonly string[]): boolean => path.some((name) => JUNK.has(name.toLowerCase()));
