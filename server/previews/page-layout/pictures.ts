import { loadImage } from '@napi-rs/canvas';
import type { Element } from './tree.ts';

/** Pictures drawn per document. */
const PICTURES_MAX = 300;
const PIXELS_MAX = 80_000_000;
/** The longest side in pixels; a page never shows more. */
const SIDE = 2000;

/** A picture of a document; it is decoded only when it is drawn. */
export interface Picture {
  /** Points. */
  width: number;
  height: number;
  load(): ReturnType<typeof loadImage>;
}

/** A CSS pixel is three quarters of a point. */
const POINTS = 0.75;

async function read(source: string): Promise<Picture | null> {
  const { default: sharp } = await import('sharp');
  const bytes = Buffer.from(source.slice(source.indexOf(',') + 1), 'base64');
  const limits = { limitInputPixels: PIXELS_MAX } as const;
  try {
    const { width, height } = await sharp(bytes, limits).metadata();
    const load = async () =>
      loadImage(
        await sharp(bytes, limits)
          .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
          .png()
          .toBuffer(),
      );
    return { width: width * POINTS, height: height * POINTS, load };
  } catch {
    return null;
  }
}

/** The readable pictures of a document by their elements. */
export async function picturesIn(root: Element): Promise<Map<Element, Picture>> {
  const found = new Map<Element, Picture>();
  const look = async (node: Element): Promise<void> => {
    for (const child of node.children) {
      if (typeof child === 'string' || found.size >= PICTURES_MAX) continue;
      const source = child.tag === 'img' ? child.attributes.src : undefined;
      const picture = source ? await read(source) : null;
      if (picture) found.set(child, picture);
      await look(child);
    }
  };
  await look(root);
  return found;
}
