import { extensionOf } from '#server/text/extension.ts';
import {
  ALLOWED_EXTENSIONS,
  MAX_FILE_BYTES,
  TOO_LARGE,
  isUnsupported,
  unsupported,
} from '#server/documents/contract.ts';
import * as t from '#messages/uploads.ts';

type Checked = Pick<File, 'name' | 'size'>;

/** The reasons for which the server would refuse this file, checked before any byte is sent; empty if it is accepted. */
export function problems({ name, size }: Checked): string[] {
  const extension = extensionOf(name);
  return [
    ...(size > MAX_FILE_BYTES ? [TOO_LARGE] : []),
    ...(ALLOWED_EXTENSIONS.has(extension) ? [] : [unsupported(extension)]),
  ];
}

export const isAccepted = (file: Checked): boolean => problems(file).length === 0;

/** `setup.exe: File type "exe" is not supported`; null for a file that can be uploaded. */
export function refusalOf(file: Checked): string | null {
  const reasons = problems(file);
  return reasons.length === 0 ? null : `${file.name}: ${reasons.join(', ')}`;
}

/** The message about the first refused file, or about missing files; null if all can be uploaded. */
export function refusal(files: readonly Checked[]): string | null {
  if (files.length === 0) return t.selectFiles;
  for (const file of files) {
    const refused = refusalOf(file);
    if (refused) return refused;
  }
  return null;
}

/** A reason without the details of one file, so that equal reasons are shown once. */
export const commonReason = (reason: string): string => (isUnsupported(reason) ? t.notSupported : reason);

const SYSTEM_FILES = new Set(['.ds_store', 'thumbs.db', 'desktop.ini', '__macosx']);

/** Whether it is a file that operating systems or Office leave in folders; `~$` marks the lock file of an open document. */
export const isSystemFile = (path: readonly string[]): boolean =>
  path.some((name) => SYSTEM_FILES.has(name.toLowerCase()) || name.startsWith('~$'));
