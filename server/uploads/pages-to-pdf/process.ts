import type { Sharp } from 'sharp';
import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { detectType } from './detect-type.ts';

/** A photo that becomes a page. */
export interface PdfOrder {
  bytes: Uint8Array;
  turn: Turn;
}
/** Clockwise rotation in degrees, in addition to the photo's EXIF orientation. */
export type Turn = 0 | 90 | 180 | 270;
/** The page as an upright JPEG, with its size in pixels. */
export interface MadePdf {
  picture: Uint8Array;
  width: number;
  height: number;
}

/** Longest side in pixels: A4 at 300 dpi, at which small print stays legible. */
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
  if (detectType(buffer, '') !== 'heic')
    return jpeg(sharp(buffer, { limitInputPixels: PIXELS_MAX, failOn: 'error' }).autoOrient());
  const { default: heic } = await import('heic-decode');
  const frames = await heic.all({ buffer });
  try {
    const [frame] = frames;
    if (!frame || frame.width * frame.height > PIXELS_MAX) throw new Error('The picture is too large.');
    const { width, height } = frame;
    // The decoder has already applied the orientation.
    const { data } = await frame.decode();
    return await jpeg(sharp(data, { raw: { width, height, channels: 4 } }));
  } finally {
    frames.dispose();
  }
}

// A separate process, as for previews: image decoders are the code most likely to crash.
serveRequests(paperOf);
