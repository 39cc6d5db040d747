import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecognisedPage } from '../contract.ts';
import { linesOf } from './lines.ts';
import { boxOf } from './page.ts';

const ROWS = Array.from({ length: 20 }, (_, row) => [`Item${row}`, `of`, `${row + 1},250.00`]);

/** A scanned page with a label on the left and an amount on the right of each line; `move` distorts the positions. */
function scanned(move: (x: number, y: number) => [number, number]): RecognisedPage {
  const boxes = ROWS.flatMap((_, row) =>
    [600, 950, 4800].flatMap((left) => {
      const corners = [left, left + 300].flatMap((x) => [100, 200].map((y) => move(x, row * 150 + 500 + y)));
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      return [x, y, Math.max(...xs) - x, Math.max(...ys) - y].map(Math.round);
    }),
  );
  const text = ROWS.map((row) => row.join(' ')).join('\n');
  return { page: 1, label: '', text, boxes, sure: boxes.map(() => 99) };
}

const rotatedBy =
  (angle: number) =>
  (x: number, y: number): [number, number] => [
    3000 + (x - 3000) * Math.cos(angle) - (y - 4200) * Math.sin(angle),
    4200 + (x - 3000) * Math.sin(angle) + (y - 4200) * Math.cos(angle),
  ];
const DISTORTIONS: Record<string, (x: number, y: number) => [number, number]> = {
  'skewed clockwise': rotatedBy(0.026),
  'skewed anticlockwise': rotatedBy(-0.026),
  'upside down': rotatedBy(Math.PI + 0.01),
  'rotated clockwise': rotatedBy(Math.PI / 2 - 0.01),
  'rotated anticlockwise': rotatedBy(-Math.PI / 2),
  // Each line is steeper than the one above it.
  'photographed from the side': (x, y) => [x, y + (x - 3000) * 0.00001 * (y - 1500)],
};

for (const [name, move] of Object.entries(DISTORTIONS))
  test(`a scan that is ${name} gives the lines of a straight page, with boxes at the original positions`, () => {
    const page = scanned(move);
    const lines = linesOf(page, 'pdf');
    assert.equal(
      lines.map(({ cells }) => cells.map(({ text }) => text)),
      ROWS.map(([item, of, amount]) => [`${item} ${of}`, amount]),
    );
    const last = lines.at(-1)!;
    const { boxes } = page;
    assert.equal(
      boxOf({ lines, hasPositions: true }, last.words.slice(-1)),
      boxes!.slice(-4),
      'the screen shows the original page',
    );
  });

test('a page that is not a scan is not straightened, since its lines are level', () => {
  const { sure, ...page } = scanned((x, y) => [x, y]);
  assert.ok(sure);
  assert.ok(linesOf(page, 'pdf').every(({ words }) => words.every(({ original }) => original === undefined)));
});

test.run();
