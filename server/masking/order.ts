import type { MaskReason } from './contract.ts';
import type { PageWords } from './numbers.ts';

/** What the server sends to the process that covers numbers. */
export interface MaskOrder {
  bytes: Uint8Array;
  fileType: string;
  /** Of a locked PDF. */
  password?: string;
  /** What the reading knows, in the order of the pages; empty for a text. */
  pages: PageWords[];
  /** How pictures within pages of text are read; null where they are not, and then such a page is withheld. */
  networks: boolean | null;
}

/** What the process answers. */
export type Masked =
  /** There is nothing to be covered. */
  | { clear: true }
  | { withheld: MaskReason }
  /** A PDF of pictures of all pages, with nothing behind them. */
  | { pdf: Uint8Array; pages: number };
