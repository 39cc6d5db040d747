import type { SlopeSample } from '#server/reading/words/skew.ts';
import { fitSkew } from '#server/reading/words/skew.ts';
import type { Word } from './page.ts';

const middle = ({ top, bottom }: Word): number => (top + bottom) / 2;
const centre = ({ left, right }: Word): number => (left + right) / 2;
/** Shorter lines, in tenths of a point, have random slopes. */
const SHORT = 400;
/** A smaller slope moves text less than half a point over the width of a page. */
const LEVEL = 0.0006;

/** The slopes of a line, by the middles of its words. */
function slopesOf(words: readonly Word[]): SlopeSample[] {
  if (words.length < 2) return [];
  const length = words.at(-1)!.right - words[0]!.left;
  if (length < SHORT) return [];
  const x = words.reduce((sum, word) => sum + centre(word), 0) / words.length;
  const y = words.reduce((sum, word) => sum + middle(word), 0) / words.length;
  const spread = words.reduce((sum, word) => sum + (centre(word) - x) ** 2, 0);
  if (spread === 0) return [];
  const slope = words.reduce((sum, word) => sum + (centre(word) - x) * (middle(word) - y), 0) / spread;
  return [{ x, y, slope, weight: length }];
}

/** The clockwise quarter turns of a page, by the direction from word to word. */
function quartersOf(rows: readonly Word[][]): number {
  let [x, y] = [0, 0];
  for (const words of rows)
    for (const [index, word] of words.entries()) {
      const previous = words[index - 1];
      if (!previous) continue;
      x += centre(word) - centre(previous);
      y += middle(word) - middle(previous);
    }
  if (Math.abs(x) >= Math.abs(y)) return x < 0 ? 2 : 0;
  return y > 0 ? 1 : 3;
}

/** Rotates a page that lies on its side or upside down. */
function rotateUpright(rows: readonly Word[][]): Word[][] {
  const quarters = quartersOf(rows);
  if (quarters === 0) return rows.map((words) => [...words]);
  const words = rows.flat();
  const right = Math.max(...words.map((word) => word.right));
  const bottom = Math.max(...words.map((word) => word.bottom));
  const rotated = ({ left, top, ...word }: Word) => {
    if (quarters === 1)
      return { left: top, right: word.bottom, top: right - word.right, bottom: right - left };
    if (quarters === 2)
      return {
        left: right - word.right,
        right: right - left,
        top: bottom - word.bottom,
        bottom: bottom - top,
      };
    return { left: bottom - word.bottom, right: bottom - top, top: left, bottom: word.right };
  };
  return rows.map((row) =>
    row.map((word) => {
      const { text, ...original } = word;
      return { text, ...rotated(word), original };
    }),
  );
}

/** The words of a page, moved to where they would be if the page were straight. */
export function straighten(pageRows: readonly Word[][]): Word[] {
  const rows = rotateUpright(pageRows);
  const words = rows.flat();
  const slopes = rows.flatMap(slopesOf);
  if (slopes.length === 0) return words;
  const skew = fitSkew(slopes);
  const x0 = words.reduce((sum, word) => sum + centre(word), 0) / words.length;
  const y0 = words.reduce((sum, word) => sum + middle(word), 0) / words.length;
  const slopeAtCentre = skew.slopeAt(x0, y0);
  return words.map((word) => {
    const [x, y] = [centre(word), middle(word)];
    const slope = Math.abs(skew.slopeAt(x, y));
    if (Math.abs(skew.levelledY(x, y) - y) < 1 && slope < LEVEL) return word;
    // The box of a skewed word is larger than the word.
    const [width, height] = [word.right - word.left, word.bottom - word.top];
    const half = {
      x: (width - Math.min(width / 2, height * slope)) / 2,
      y: (height - Math.min(height / 2, width * slope)) / 2,
    };
    // Columns are skewed as lines are.
    const moved = { x: x + slopeAtCentre * (y - y0), y: skew.levelledY(x, y) };
    const { left, top, right, bottom, text, original = { left, top, right, bottom } } = word;
    return {
      text,
      left: moved.x - half.x,
      top: moved.y - half.y,
      right: moved.x + half.x,
      bottom: moved.y + half.y,
      original,
    };
  });
}
