import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Mark } from './marks.ts';
import { breakIntoPages } from './marks.ts';

const test = suite('page breaks');
const mark = (top: number, bottom: number, divisible = false): Mark => ({
  top,
  bottom,
  divisible,
  draw: () => {},
});

test('each line is complete on exactly one page, also in cells side by side', () => {
  const lines = Array.from({ length: 500 }, (_, n) => [
    mark(n * 14, n * 14 + 13),
    mark(n * 14 + 5, n * 14 + 19),
  ]).flat();
  const pages = breakIntoPages(lines, 700);
  const drawn = pages.flatMap(({ marks }) => marks);
  assert.is(drawn.length, lines.length);
  assert.is(new Set(drawn).size, lines.length);
  for (const { from, marks } of pages)
    for (const { top, bottom } of marks)
      assert.ok(top >= from && bottom <= from + 700, `${top} to ${bottom}`);
  assert.ok(pages.length < 13, 'pages are full');
});

test('a vertical rule is drawn on every page that it reaches, and an empty strip is one empty page', () => {
  const rule = mark(0, 1500, true);
  const pages = breakIntoPages([rule, mark(10, 20), mark(1400, 1410), mark(1490, 1500)], 700);
  assert.equal(
    pages.map(({ marks }) => marks.includes(rule)),
    [true, true],
  );
  assert.equal(breakIntoPages([], 700), [{ from: 0, marks: [] }]);
});

test.run();
