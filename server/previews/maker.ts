import type { Answer } from './make.ts';
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
type Order = (PictureOrder | StampOrder) & { job: number };

async function make(order: Order): Promise<Answer<MadePicture>> {
  const { job } = order;
  try {
    const made =
      'stamp' in order
        ? { picture: await (await import('./stamp.ts')).stamped(order.bytes, order.stamp), pages: 1 }
        : await pictureOf(order);
    return { job, ...made };
  } catch (error) {
    return { job, fault: error instanceof Error ? error.message : String(error) };
  }
}

// A process of its own: code that reads pictures is the likeliest to crash or to fill the memory, and then takes nothing
// else with it. It is told one thing at a time and ends with whoever started it.
process.on('message', (order: Order) => {
  void make(order).then((made) => process.send!(made));
});
process.on('disconnect', () => process.exit(0));
