import type { MaskReason } from './contract.ts';
import type { PageWords } from './numbers.ts';

/** The request to the process that masks files. */
export interface MaskRequest {
  bytes: Uint8Array;
  fileType: string;
  /** The password of a locked PDF. */
  password?: string;
  /** The stored pages, in order; empty for a text. */
  pages: PageWords[];
  /**
   * Whether pictures within pages are read with the networks; null if they are not read, and such a page is withheld.
   */
  networks: boolean | null;
}

/** The response of the process. */
export type MaskResult =
  /** There is nothing to cover. */
  | { clear: true }
  | { withheld: MaskReason }
  /** A PDF of pictures of all pages, without any text. */
  | { pdf: Uint8Array; pages: number };
