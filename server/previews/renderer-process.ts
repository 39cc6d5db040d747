import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { pictureOf } from './pictures.ts';

/** A request to the process that makes pictures. */
export interface PictureOrder {
  bytes: Uint8Array;
  /** `view` for the extracted content of an office document; see `stored-view.ts`. */
  fileType: string;
  /** From 1. */
  page: number;
  /** The longest side of the picture, in pixels. */
  side: number;
  /** The password of an encrypted PDF. */
  password?: string;
}

/** A request to burn a stamp into a picture. */
export interface StampOrder {
  bytes: Uint8Array;
  /** The text, repeated across the picture. */
  stamp: string;
}

export interface MadePicture {
  /** WebP; JPEG for a stamped picture. */
  picture: Uint8Array;
  /** The number of pages of the file. */
  pages: number;
}

// A separate process, because image decoders are the most likely code to crash, exhaust the memory or be exploited.
serveRequests<PictureOrder | StampOrder, MadePicture>(async (order) =>
  'stamp' in order
    ? { picture: await (await import('./watermark.ts')).stamped(order.bytes, order.stamp), pages: 1 }
    : pictureOf(order),
);
