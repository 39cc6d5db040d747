import type { ScannedPage } from '../readers/contract.ts';

/** The request to the process that reads pictures of pages. */
export interface ScanRequest {
  /** Identifies the file: its bytes are sent once for all its pages. */
  file: string;
  /** Left out where the process may still have them. */
  bytes?: Uint8Array;
  fileType: string;
  /** From 1. */
  page: number;
  /** Whether to use the networks, which read better and take more memory. */
  networks: boolean;
  /** The password of a locked PDF. */
  password: string;
  /** The second and last attempt: with a smaller picture. */
  isRetry: boolean;
}

/** The response of the process. */
export type ScanResponse =
  | { scanned: ScannedPage }
  /** The process does not have the bytes of this file. */
  | { needsBytes: true }
  /** The page cannot be read; the message is for the log. */
  | { unreadable: string };
