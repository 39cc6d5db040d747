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
  /**
   * There is nothing to cover. Except of a text, `copy` is what its pages show, made anew in the type `copyType`:
   * the number might be in what was not read, such as a comment or the metadata.
   */
  | { clear: true; copy?: Uint8Array }
  | { withheld: MaskReason }
  /** A PDF of pictures of all pages, without any text. */
  | { pdf: Uint8Array; pages: number };
