import { isHandheld } from './kept-photos.ts';

/** Why a file has not arrived that was being sent, or could be tried again, when the page was left. */
export const INTERRUPTED = 'interrupted';

/** A file that has not arrived. */
export interface MissingFile {
  row: string;
  name: string;
  /** The code of the refusal, or `INTERRUPTED`. */
  code: string;
}

const keyOf = (address: string): string => `almirah-missing ${address}`;

/** A phone opens a link from a message in another tab each time. */
const storage = (): Storage => (isHandheld() ? localStorage : sessionStorage);

/** Keeps which files have not arrived, on a computer while the browser's tab is open, since every form loads the page anew. */
export function storeMissing(address: string, files: readonly MissingFile[]): void {
  try {
    if (files.length === 0) storage().removeItem(keyOf(address));
    else storage().setItem(keyOf(address), JSON.stringify(files));
  } catch {
    // A browser that stores nothing for this page forgets them.
  }
}

export function storedMissing(address: string): MissingFile[] {
  try {
    return JSON.parse(storage().getItem(keyOf(address)) ?? '[]') as MissingFile[];
  } catch {
    return [];
  }
}
