import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecognisedPage } from '../contract.ts';
import { linesOf } from './lines.ts';
import { boxOf } from './page.ts';

const ROWS = Array.from({ length: 20 }, (_, at) => [`Item${at}`, `of`, `${at + 1},250.00`]);

/** A scanned page with a label at the left and an amount far at the right of each line, each place moved as `place` says. */
function scanned(place: (x: number, y: number) => [number, number]): RecognisedPage {
  const boxes = ROWS.flatMap((_, row) =>
    [600, 950, 4800].flatMap((left) => {
      const corners = [left, left + 300].flatMap((x) => [100, 200].map((y) => place(x, row * 150 + 500 + y)));
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      return [x, y, Math.max(...xs) - x, Math.max(...ys) - y].map(Math.round);
    }),
  );
  const text = ROWS.map((row) => row.join(' ')).join('\n');
  return { page: 1, label: '', text, boxes, sure: boxes.map(() => 99) };
}

const around =
  (angle: number) =>
  (x: number, y: number): [number, number] => [
    3000 + (x - 3000) * Math.cos(angle) - (y - 4200) * Math.sin(angle),
    4200 + (x - 3000) * Math.sin(angle) + (y - 4200) * Math.cos(angle),
  ];
const LYING: Record<string, (x: number, y: number) => [number, number]> = {
  'a little crooked': around(0.026),
  'crooked the other way': around(-0.026),
  'on its head': around(Math.PI + 0.01),
  'on its side': around(Math.PI / 2 - 0.01),
  'on its other side': around(-Math.PI / 2),
  // Each line leans more than the one above it, as on a photo.
  'seen from the side': (x, y) => [x, y + (x - 3000) * 0.00001 * (y - 1500)],
};

for (const [how, place] of Object.entries(LYING))
  test(`a scan that lies ${how} has the lines that it would have, with boxes where the words are seen`, () => {
    const page = scanned(place);
    const lines = linesOf(page, 'pdf');
    assert.equal(
      lines.map(({ cells }) => cells.map(({ text }) => text)),
      ROWS.map(([item, of, amount]) => [`${item} ${of}`, amount]),
    );
    const last = lines.at(-1)!;
    const { boxes } = page;
    assert.equal(
      boxOf({ lines, placed: true }, last.words.slice(-1)),
      boxes!.slice(-4),
      'a screen marks the word on the page as it is shown',
    );
  });

test('a page of print is left as it is, for its lines are level', () => {
  const { sure, ...page } = scanned((x, y) => [x, y]);
  assert.ok(sure);
  assert.ok(linesOf(page, 'pdf').every(({ words }) => words.every(({ seen }) => seen === undefined)));
});

test.run();
