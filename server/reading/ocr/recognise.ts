import { readFileSync } from 'node:fs';
import type * as OnnxRuntime from 'onnxruntime-node';
import type { InferenceSession } from 'onnxruntime-node';
import type { Line } from './detect.ts';
import type { Raster } from './raster.ts';
import { shadeAt } from './raster.ts';

/** The input height of the network. */
const HEIGHT = 48;
/** Input pixels per step of the output. */
const STEP = 8;
/** Lines per run; more take more memory. */
const BATCH = 4;
/** The network was trained on short pieces: a longer line is cut at a gap. In heights. */
const PIECE_MAX = 26;

export interface Letter {
  text: string;
  /** From 0 to 1. */
  confidence: number;
  /** Its middle, in pixels of the picture along the line from its left end. */
  position: number;
}

export const loadAlphabet = (file: string): string[] => [
  '',
  ...readFileSync(file, 'utf8').replace(/\n$/, '').split('\n'),
  ' ',
];

/** Straightens a line into a strip of the network's input height. */
function strip(raster: Raster, { left, right, curve: [a, b, c], height }: Line): Raster {
  const scale = HEIGHT / height;
  const width = Math.max(STEP, Math.round((right - left) * scale));
  const data = new Uint8Array(width * HEIGHT);
  const samplesPerPixel = Math.max(1, Math.round(1 / scale));
  for (let x = 0; x < width; x += 1)
    for (let y = 0; y < HEIGHT; y += 1) {
      let sum = 0;
      for (let j = 0; j < samplesPerPixel; j += 1)
        for (let i = 0; i < samplesPerPixel; i += 1) {
          const along = (x + (i + 0.5) / samplesPerPixel) / scale;
          const middle = a + b * along + c * along * along;
          sum += shadeAt(
            raster,
            left + along - 0.5,
            middle + ((y + (j + 0.5) / samplesPerPixel) / HEIGHT - 0.5) * height - 0.5,
          );
        }
      data[y * width + x] = sum / (samplesPerPixel * samplesPerPixel);
    }
  return { data, width, height: HEIGHT };
}

/** The amount of ink in each column of a strip. */
function inkOf({ data, width, height }: Raster): Float32Array {
  const ink = new Float32Array(width);
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 0; x < width; x += 1) ink[x]! += Math.max(0, 200 - data[y * width + x]!) / 200;
  return ink;
}

/** Splits a strip into pieces that are not too long, each at the widest gap within reach. */
function splitStrip(ink: Float32Array): [from: number, to: number][] {
  const maxWidth = PIECE_MAX * HEIGHT;
  const pieces: [number, number][] = [];
  let from = 0;
  while (ink.length - from > maxWidth) {
    let [best, widest, run] = [from + maxWidth, 0, 0];
    for (let x = from + maxWidth / 2; x < from + maxWidth; x += 1) {
      run = ink[x]! < 0.6 ? run + 1 : 0;
      if (run > widest) [widest, best] = [run, Math.round(x - run / 2)];
    }
    pieces.push([from, best]);
    from = best;
  }
  pieces.push([from, ink.length]);
  return pieces;
}

interface Piece {
  line: number;
  from: number;
  strip: Raster;
  /** Picture pixels per strip pixel. */
  scale: number;
}

/** Recognises lines letter by letter. @returns the letters of each line. */
export async function recognise(
  { Tensor }: Pick<typeof OnnxRuntime, 'Tensor'>,
  session: InferenceSession,
  alphabet: readonly string[],
  raster: Raster,
  lines: readonly Line[],
): Promise<{ letters: Letter[]; ink: Float32Array; scale: number }[]> {
  const read = lines.map((line) => {
    const lineStrip = strip(raster, line);
    return { letters: [] as Letter[], ink: inkOf(lineStrip), scale: line.height / HEIGHT, lineStrip };
  });
  const pieces: Piece[] = read.flatMap(({ lineStrip, ink, scale }, line) =>
    splitStrip(ink).map(([from, to]) => {
      const width = to - from;
      const data = new Uint8Array(width * HEIGHT);
      for (let y = 0; y < HEIGHT; y += 1)
        data.set(lineStrip.data.subarray(y * lineStrip.width + from, y * lineStrip.width + to), y * width);
      return { line, from, strip: { data, width, height: HEIGHT }, scale };
    }),
  );
  pieces.sort((a, b) => a.strip.width - b.strip.width);
  for (let start = 0; start < pieces.length; start += BATCH) {
    const batch = pieces.slice(start, start + BATCH);
    const width = Math.max(...batch.map((piece) => Math.ceil(piece.strip.width / STEP) * STEP), 160);
    const area = width * HEIGHT;
    const data = new Float32Array(batch.length * 3 * area);
    for (const [n, { strip: lineStrip }] of batch.entries())
      for (let y = 0; y < HEIGHT; y += 1)
        for (let x = 0; x < lineStrip.width; x += 1) {
          const shade = lineStrip.data[y * lineStrip.width + x]! / 127.5 - 1;
          for (let colour = 0; colour < 3; colour += 1) data[(n * 3 + colour) * area + y * width + x] = shade;
        }
    const input = new Tensor('float32', data, [batch.length, 3, HEIGHT, width]);
    const output = (await session.run({ [session.inputNames[0]!]: input }))[session.outputNames[0]!]!;
    const [, steps = 0, classes = 0] = output.dims;
    const confidence = output.data as Float32Array;
    for (const [n, piece] of batch.entries()) {
      let before = 0;
      for (let step = 0; step < steps; step += 1) {
        const base = (n * steps + step) * classes;
        let best = 0;
        for (let k = 1; k < classes; k += 1) if (confidence[base + k]! > confidence[base + best]!) best = k;
        if (best !== 0 && best !== before)
          read[piece.line]!.letters.push({
            text: alphabet[best] ?? '',
            confidence: confidence[base + best]!,
            position: (piece.from + (step + 0.5) * STEP) * piece.scale,
          });
        before = best;
      }
    }
  }
  for (const line of read) line.letters.sort((a, b) => a.position - b.position);
  return read.map(({ letters, ink, scale }) => ({ letters, ink, scale }));
}
