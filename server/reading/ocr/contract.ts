import type { ScannedPage } from '../readers/contract.ts';

/** What the server sends to the process that reads pictures of pages. */
export interface ScanOrder {
  /** Names the file, so that its bytes are sent once for all its pages. */
  file: string;
  /** Left out where the process may have them still. */
  bytes?: Uint8Array;
  fileType: string;
  /** From 1. */
  page: number;
  /** Whether the networks read, which are better and take more memory. */
  networks: boolean;
  /** Of a locked PDF. */
  password: string;
  /** The second and last time that it is tried: in a smaller picture. */
  again: boolean;
}

/** What the process answers. */
export type MadeScan =
  | { scanned: ScannedPage }
  /** It has not got the bytes of this file. */
  | { wanting: true }
  /** This page cannot be read; the message is for the log. */
  | { unreadable: string };
