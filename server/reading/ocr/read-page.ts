import type { ScannedPage, Seen } from '../readers/contract.ts';
import type { PageSkew } from '../words/skew.ts';
import { equaliseHeights, snapToLines, skewOfLines } from './bands.ts';
import type { Line } from './detect.ts';
import type { Networks } from './engines.ts';
import { plausibilityOf } from './checks.ts';
import type { MergedWord } from './merge-readings.ts';
import { mergeReadings, rowsOf } from './merge-readings.ts';
import type { Raster } from './raster.ts';
import { flattenLighting } from './raster.ts';
import { straighten, rotated } from './straighten.ts';
import type { Languages, Tesseract } from './tesseract.ts';
import type { ScannedWord } from './words.ts';
import { wordGap, splitIntoWords } from './words.ts';

export interface Engines {
  /** Null where they do not run, or are switched off. */
  networks: Networks | null;
  tesseract: Tesseract;
}

/** A page that was read; boxes in pixels of the given picture. */
export type ReadPage = Omit<ScannedPage, 'page'>;

/** Pixels of the longer side on which lines are detected. */
const SIDE = 1280;
/** The strip height of line recognition. */
const STRIP = 48;
/** A word of letters with this confidence needs no second reading. */
const CONFIDENCE_MIN = 0.9;
const LETTERS = /^[\p{L}.,:;'"()/&-]+$/u;
/** Lines whose words are read with less confidence are not in Latin script. */
const LATIN_CONFIDENCE_MIN = 0.62;

const isPlain = ({ text, confidence }: ScannedWord): boolean =>
  confidence >= CONFIDENCE_MIN && LETTERS.test(text) && plausibilityOf(text) === 0;

/** Whether Tesseract read a line so well that nothing is gained by a second reading. */
function isSettled({ left, right, curve: [a, b, c], height }: Line, words: readonly ScannedWord[]): boolean {
  const inLine = words.filter((word) => {
    const x = (word.left + word.right) / 2 - left;
    if (x < 0 || x > right - left) return false;
    return Math.abs((word.top + word.bottom) / 2 - (a + b * x + c * x * x)) < height * 0.4;
  });
  const covered = inLine.reduce((sum, word) => sum + word.right - word.left, 0);
  return covered > (right - left) * 0.6 && inLine.every(isPlain);
}

/** Chooses the languages by reading a few lines with the networks, which know no Devanagari. */
async function languagesOf(networks: Networks, raster: Raster, lines: readonly Line[]): Promise<Languages> {
  const longLines = lines.filter(({ left, right, height }) => right - left > height * 2);
  const step = Math.max(1, Math.floor(longLines.length / 8));
  const samples = longLines
    .filter((_, index) => index % step === 0)
    .map((line) => ({ ...line, right: Math.min(line.right, line.left + line.height * 8) }));
  const read = await networks.recognise(raster, samples);
  const poorlyRead = read.filter(
    ({ letters }) =>
      letters.length < 2 ||
      letters.reduce((sum, { confidence }) => sum + confidence, 0) / letters.length < LATIN_CONFIDENCE_MIN,
  );
  return poorlyRead.length > 0 ? 'eng+hin' : 'eng';
}

async function readWithBoth(
  networks: Networks,
  tesseract: Tesseract,
  raster: Raster,
): Promise<{ words: MergedWord[]; skew: PageSkew }> {
  const { lines } = await networks.detect(raster, SIDE);
  const skew = skewOfLines(lines);
  if (lines.length === 0) return { words: [], skew };
  const evenLines = new Map(equaliseHeights(lines).map((line, index) => [lines[index]!, line]));
  const bands = [...evenLines.values()];
  const words = snapToLines(tesseract(raster, await languagesOf(networks, raster, lines)), bands);
  const unsettledLines = lines.filter((line) => !isSettled(line, words));
  const read = await networks.recognise(raster, unsettledLines);
  const gap = wordGap(
    read.map(({ ink }) => ink),
    STRIP,
  );
  const networkWords = read.flatMap((recognised, index) =>
    splitIntoWords(evenLines.get(unsettledLines[index]!)!, recognised, gap),
  );
  const settled = words.filter(
    (word) => isPlain(word) && !networkWords.some((other) => overlaps(word, other)),
  );
  const unsettledWords = words.filter((word) => !settled.includes(word));
  const settledWords = settled.map((word): MergedWord => ({ ...word, seen: 't' }));
  return { words: [...settledWords, ...mergeReadings(networkWords, unsettledWords)], skew };
}

const overlaps = (a: ScannedWord, b: ScannedWord): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** With Tesseract alone: tries all orientations until one gives readable text. */
function readWithTesseract(tesseract: Tesseract, raster: Raster): { words: MergedWord[]; quarters: number } {
  let best: { words: ScannedWord[]; quarters: number; score: number } = { words: [], quarters: 0, score: 0 };
  for (const quarters of [0, 3, 1, 2]) {
    const words = tesseract(rotated(raster, quarters, 0).raster, 'eng+hin');
    const score = words.reduce((sum, { text, confidence }) => sum + text.length * confidence ** 2, 0);
    if (score > best.score) best = { words, quarters, score };
    const letters = words.reduce((sum, { text }) => sum + text.length, 0);
    if (letters > 20 && score / letters > 0.5) break;
  }
  return { words: mergeReadings([], best.words), quarters: best.quarters };
}

/** Reads a page in any orientation. */
export async function readRaster({ networks, tesseract }: Engines, raster: Raster): Promise<ReadPage> {
  let words: MergedWord[];
  let skew: PageSkew | null = null;
  let toOriginal: (x: number, y: number) => [number, number];
  if (networks) {
    const straight = await straighten(networks, raster);
    toOriginal = straight.toOriginal;
    ({ words, skew } = await readWithBoth(networks, tesseract, straight.raster));
  } else {
    const flattened = flattenLighting(raster);
    const read = readWithTesseract(tesseract, flattened);
    toOriginal = rotated(flattened, read.quarters, 0).toOriginal;
    words = read.words;
  }
  return layOut(words, skew, toOriginal);
}

/** Lays words out as lines of text, with boxes in the given picture. */
function layOut(
  words: readonly MergedWord[],
  skew: PageSkew | null,
  toOriginal: (x: number, y: number) => [number, number],
): ReadPage {
  const rows = rowsOf(words, skew);
  const inOrder = rows.flat();
  return {
    text: rows.map((row) => row.map(({ text }) => text).join(' ')).join('\n'),
    boxes: inOrder.flatMap(({ left, top, right, bottom }) => {
      const corners = [
        toOriginal(left, top),
        toOriginal(right, top),
        toOriginal(left, bottom),
        toOriginal(right, bottom),
      ];
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      const [x, y] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))];
      return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
    }),
    sure: inOrder.map(({ confidence }) => Math.round(confidence * 100)),
    seen: inOrder.map(({ seen }): Seen => seen).join(''),
  };
}
