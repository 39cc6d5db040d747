import type { ScannedPage, Seen } from '../readers/contract.ts';
import type { Level } from '../words/skew.ts';
import { evenHeights, inBands, levelOfLines } from './bands.ts';
import type { Line } from './detect.ts';
import type { Networks } from './engines.ts';
import { formOf } from './checks.ts';
import type { JoinedWord } from './join.ts';
import { join, rowsOf } from './join.ts';
import type { Raster } from './raster.ts';
import { evened } from './raster.ts';
import { straightened, upright } from './straighten.ts';
import type { Languages, Tesseract } from './tesseract.ts';
import type { ScannedWord } from './words.ts';
import { wordGap, wordsOf } from './words.ts';

export interface Engines {
  /** Null where they do not run, or are not to. */
  networks: Networks | null;
  tesseract: Tesseract;
}

/** A page that was read, its boxes in pixels of the picture that was given. */
export type ReadPage = Omit<ScannedPage, 'page'>;

/** Pixels of the longest side at which lines are found. */
const SIDE = 1280;
/** Height to which the networks lay a line. */
const STRIP = 48;
/** A word of letters alone that is read so surely needs nobody else to read it. */
const SURE = 0.9;
const LETTERS = /^[\p{L}.,:;'"()/&-]+$/u;
/** Lines read so badly, in whole words, are not of Latin letters. */
const FOREIGN = 0.62;

const isPlain = ({ text, sure }: ScannedWord): boolean =>
  sure >= SURE && LETTERS.test(text) && formOf(text) === 0;

/** Whether Tesseract has read a line so that nothing is gained by reading it again. */
function isSettled({ left, right, curve: [a, b, c], height }: Line, words: readonly ScannedWord[]): boolean {
  const inLine = words.filter((word) => {
    const x = (word.left + word.right) / 2 - left;
    if (x < 0 || x > right - left) return false;
    return Math.abs((word.top + word.bottom) / 2 - (a + b * x + c * x * x)) < height * 0.4;
  });
  const covered = inLine.reduce((sum, word) => sum + word.right - word.left, 0);
  return covered > (right - left) * 0.6 && inLine.every(isPlain);
}

/** Whether letters stand there that the networks do not know: a few lines are tried. */
async function languagesOf(networks: Networks, raster: Raster, lines: readonly Line[]): Promise<Languages> {
  const some = lines.filter(({ left, right, height }) => right - left > height * 2);
  const step = Math.max(1, Math.floor(some.length / 8));
  const tried = some
    .filter((_, at) => at % step === 0)
    .map((line) => ({ ...line, right: Math.min(line.right, line.left + line.height * 8) }));
  const read = await networks.recognise(raster, tried);
  const badly = read.filter(
    ({ letters }) =>
      letters.length < 2 || letters.reduce((sum, { sure }) => sum + sure, 0) / letters.length < FOREIGN,
  );
  return badly.length > 0 ? 'eng+hin' : 'eng';
}

async function byBoth(
  networks: Networks,
  tesseract: Tesseract,
  raster: Raster,
): Promise<{ words: JoinedWord[]; level: Level }> {
  const { lines } = await networks.detect(raster, SIDE);
  const level = levelOfLines(lines);
  if (lines.length === 0) return { words: [], level };
  const even = new Map(evenHeights(lines).map((line, at) => [lines[at]!, line]));
  const bands = [...even.values()];
  const words = inBands(tesseract(raster, await languagesOf(networks, raster, lines)), bands);
  const wanted = lines.filter((line) => !isSettled(line, words));
  const read = await networks.recognise(raster, wanted);
  const gap = wordGap(
    read.map(({ ink }) => ink),
    STRIP,
  );
  const others = read.flatMap((one, at) => wordsOf(even.get(wanted[at]!)!, one, gap));
  const settled = words.filter((word) => isPlain(word) && !others.some((other) => touches(word, other)));
  const open = words.filter((word) => !settled.includes(word));
  const sure = settled.map((word): JoinedWord => ({ ...word, seen: 't' }));
  return { words: [...sure, ...join(others, open)], level };
}

const touches = (one: ScannedWord, other: ScannedWord): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** With Tesseract alone: it is tried as it lies, and then on its other sides until it says something. */
function byTesseract(tesseract: Tesseract, given: Raster): { words: JoinedWord[]; quarters: number } {
  let best: { words: ScannedWord[]; quarters: number; worth: number } = { words: [], quarters: 0, worth: 0 };
  for (const quarters of [0, 3, 1, 2]) {
    const words = tesseract(upright(given, quarters, 0).raster, 'eng+hin');
    const worth = words.reduce((sum, { text, sure }) => sum + text.length * sure ** 2, 0);
    if (worth > best.worth) best = { words, quarters, worth };
    const letters = words.reduce((sum, { text }) => sum + text.length, 0);
    if (letters > 20 && worth / letters > 0.5) break;
  }
  return { words: join([], best.words), quarters: best.quarters };
}

/** Reads a page, however it lies. */
export async function readRaster({ networks, tesseract }: Engines, given: Raster): Promise<ReadPage> {
  let words: JoinedWord[];
  let level: Level | null = null;
  let back: (x: number, y: number) => [number, number];
  if (networks) {
    const straight = await straightened(networks, given);
    back = straight.back;
    ({ words, level } = await byBoth(networks, tesseract, straight.raster));
  } else {
    const even = evened(given);
    const read = byTesseract(tesseract, even);
    back = upright(even, read.quarters, 0).back;
    words = read.words;
  }
  return laidOut(words, level, back);
}

/** Words in their order, as lines of text with boxes in the picture that was given. */
function laidOut(
  words: readonly JoinedWord[],
  level: Level | null,
  back: (x: number, y: number) => [number, number],
): ReadPage {
  const rows = rowsOf(words, level);
  const inOrder = rows.flat();
  return {
    text: rows.map((row) => row.map(({ text }) => text).join(' ')).join('\n'),
    boxes: inOrder.flatMap(({ left, top, right, bottom }) => {
      const corners = [back(left, top), back(right, top), back(left, bottom), back(right, bottom)];
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      const [x, y] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))];
      return [x, y, Math.max(...xs) - x, Math.max(...ys) - y];
    }),
    sure: inOrder.map(({ sure }) => Math.round(sure * 100)),
    seen: inOrder.map(({ seen }): Seen => seen).join(''),
  };
}
