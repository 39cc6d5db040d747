import { crc32 } from 'node:zlib';
import type { RefusalCode } from '../refusal.ts';
import type { Forged } from './forge.ts';
import { field } from './forge.ts';

/** An archive and what must become of it. */
export interface Case {
  name: string;
  make: () => Buffer;
  password?: string;
  /** Paths to contents, folders ending in `/` with ''; or the reason for which it is refused. */
  becomes: Record<string, string> | RefusalCode;
  skipped?: string[];
  /** What the message must say. */
  says?: RegExp;
}

export const text = 'Tax invoice 2026-27\n'.repeat(40);
export const file: Forged = { name: 'a.txt', data: text };

/** Info-ZIP's second name for `raw`. */
export const unicodePath = (raw: Buffer, path: string): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeUInt32LE(crc32(raw), 1);
  return field(0x7075, Buffer.concat([head, Buffer.from(path)]));
};
