import type { Sharp } from 'sharp';
import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { kindOf } from './detect-type.ts';

/** A photograph that is to become a page. */
export interface PdfOrder {
  bytes: Uint8Array;
  turn: Turn;
}
/** Degrees clockwise, beyond what the photograph says of itself. */
export type Turn = 0 | 90 | 180 | 270;
/** The same as JPEG, upright, with its size in pixels. */
export interface MadePdf {
  picture: Uint8Array;
  width: number;
  height: number;
}

/** The longest side of a page: 300 dots to the inch of A4, at which small print stays legible. */
const SIDE = 3508;
const QUALITY = 80;
const PIXELS_MAX = 130_000_000;

async function paperOf({ bytes, turn }: PdfOrder): Promise<MadePdf> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jpeg = async (image: Sharp): Promise<MadePdf> => {
    const { data, info } = await image
      .rotate(turn)
      .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true });
    return { picture: data, width: info.width, height: info.height };
  };
  if (kindOf(buffer) !== 'heic')
    return jpeg(sharp(buffer, { limitInputPixels: PIXELS_MAX, failOn: 'error' }).autoOrient());
  const { default: heic } = await import('heic-decode');
  const frames = await heic.all({ buffer });
  try {
    const [frame] = frames;
    if (!frame || frame.width * frame.height > PIXELS_MAX) throw new Error('The picture is too large.');
    const { width, height } = frame;
    // The decoder has turned it upright.
    const { data } = await frame.decode();
    return await jpeg(sharp(data, { raw: { width, height, channels: 4 } }));
  } finally {
    frames.dispose();
  }
}

// A process of its own, for the reason that previews have one: what decodes pictures is the likeliest to crash.
serveRequests(paperOf);
