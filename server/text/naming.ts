import {
  ALLOWED_EXTENSIONS,
  MAX_FILE_BYTES,
  TOO_LARGE,
  extensionOf,
  unsupported,
} from '../documents/contract.ts';
import { aroundNumber, nameKey, repairName } from './names.ts';
import { sortKey } from './sort-key.ts';

/** What is done to names that come from outside, for whoever makes many of them at once. */
export const naming = {
  repair: repairName,
  key: nameKey,
  around: aroundNumber,
  extension: extensionOf,
  order: sortKey,
  /** Why a file is not kept; null when it is. */
  refuse(name: string, size: number): string | null {
    const extension = extensionOf(name);
    if (!ALLOWED_EXTENSIONS.has(extension)) return unsupported(extension);
    return size > MAX_FILE_BYTES ? TOO_LARGE : null;
  },
};
