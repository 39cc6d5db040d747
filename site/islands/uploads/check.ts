import { extensionOf } from '#server/text/extension.ts';
import {
  ALLOWED_EXTENSIONS,
  MAX_FILE_BYTES,
  TOO_LARGE,
  isUnsupported,
  unsupported,
} from '#server/documents/contract.ts';
import * as t from '#messages/uploads.ts';

const NOTHING_CHOSEN = t.selectFiles;

type Checked = Pick<File, 'name' | 'size'>;

/** Why the server would refuse this file, told before a byte is sent; empty when it would not. */
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

/** The first refusal among these files, or that there are none; null when all can be uploaded. */
export function refusal(files: readonly Checked[]): string | null {
  if (files.length === 0) return NOTHING_CHOSEN;
  for (const file of files) {
    const refused = refusalOf(file);
    if (refused) return refused;
  }
  return null;
}

/** A reason without what it says of one file, so that equal ones are told once. */
export const commonReason = (reason: string): string => (isUnsupported(reason) ? t.notSupported : reason);

const LEFTOVERS = new Set(['.ds_store', 'thumbs.db', 'desktop.ini', '__macosx']);

/** What operating systems and Office leave in folders and nobody means to keep; `~$` marks a document that is open. */
export const isLeftover = (path: readonly string[]): boolean =>
  path.some((name) => LEFTOVERS.has(name.toLowerCase()) || name.startsWith('~$'));
