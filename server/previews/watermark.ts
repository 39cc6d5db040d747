import { FAMILIES, loadFonts } from '#server/fonts/india.ts';

/** Limits of the longest side in pixels. A smaller picture is enlarged to keep the text legible; a larger one is reduced to save time. */
const [LEAST_SIDE, MOST_SIDE] = [700, 2200];
const QUALITY = 80;
const TILT = -Math.PI / 7;
/** The height of letters as a fraction of the longest side. */
const LETTERS = 1 / 62;
/** The distances between lines and between repetitions, in heights of a letter. */
const [LEADING, GAP] = [6.5, 5];

/**
 * Burns `text` into the pixels of a picture, slanted and repeated from edge to edge, so that cropped, printed or photographed
 * copies contain it. Grey with a light outline is legible on paper and on a dark photo.
 * @returns JPEG: encoding takes a fifth of the time of WebP, and each request is stamped anew.
 */
export async function stamped(bytes: Uint8Array, text: string): Promise<Uint8Array> {
  const [{ createCanvas, loadImage }] = await Promise.all([import('@napi-rs/canvas'), loadFonts()]);
  const image = await loadImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const longest = Math.max(image.width, image.height);
  const scale = Math.min(MOST_SIDE, Math.max(LEAST_SIDE, longest)) / longest;
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  const [width, height] = [scaled(image.width), scaled(image.height)];
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  // Transparent pixels would become black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);

  const size = Math.max(12, Math.round(Math.max(width, height) * LETTERS));
  context.font = `600 ${size}px ${FAMILIES}`;
  context.textBaseline = 'middle';
  context.fillStyle = 'rgb(90 90 90 / 0.3)';
  context.strokeStyle = 'rgb(255 255 255 / 0.35)';
  context.lineWidth = Math.max(1, size / 14);
  context.lineJoin = 'round';
  context.translate(width / 2, height / 2);
  context.rotate(TILT);
  const reach = Math.hypot(width, height) / 2;
  const step = context.measureText(text).width + size * GAP;
  let line = 0;
  for (let y = -reach; y <= reach; y += size * LEADING) {
    line += 1;
    for (let x = -reach - (line % 2) * (step / 2); x <= reach; x += step) {
      context.strokeText(text, x, y);
      context.fillText(text, x, y);
    }
  }
  return canvas.encode('jpeg', QUALITY);
}
