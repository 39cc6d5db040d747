import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { pictureOf } from './pictures.ts';

/** What the server sends to the process that makes pictures. */
export interface PictureOrder {
  bytes: Uint8Array;
  /** `view` for what the server has read of an office document; see `packed.ts`. */
  fileType: string;
  /** From 1. */
  page: number;
  /** The longest side of the picture, in pixels. */
  side: number;
  /** Of a locked PDF. */
  password?: string;
}

/** A picture that somebody's name is to be burnt into. */
export interface StampOrder {
  bytes: Uint8Array;
  /** The text that is stamped across the picture, again and again. */
  stamp: string;
}

export interface MadePicture {
  /** WebP; JPEG where a name is burnt in. */
  picture: Uint8Array;
  /** Of the file. */
  pages: number;
}

// A process of its own: code that reads pictures is the likeliest to crash, to fill the memory or to be taken over, and then
// takes nothing else with it.
serveRequests<PictureOrder | StampOrder, MadePicture>(async (order) =>
  'stamp' in order
    ? { picture: await (await import('./watermark.ts')).stamped(order.bytes, order.stamp), pages: 1 }
    : pictureOf(order),
);
