import type { Context } from './paper.ts';

/** An element to draw on one continuous strip, which is then cut into pages. */
export interface Mark {
  /** Points from the top of the strip. */
  top: number;
  bottom: number;
  /** Whether a page break may cut it, as with a vertical rule. */
  divisible: boolean;
  /** @param y the coordinate of its top on the page. */
  draw(context: Context, y: number): void | Promise<void>;
}

/** The marks of one page, and the position of its top on the strip. */
export interface Page {
  from: number;
  marks: readonly Mark[];
}

/**
 * Breaks the strip into pages. Each indivisible mark is on the first page where it fits; the next page starts with the
 * topmost mark that did not fit. A divisible mark is on every page that it reaches.
 */
export function breakIntoPages(marks: readonly Mark[], height: number): Page[] {
  const divisible = marks.filter((mark) => mark.divisible);
  let left = marks.filter((mark) => !mark.divisible).toSorted((a, b) => a.top - b.top);
  const pages: Page[] = [];
  do {
    const from = pages.length === 0 ? 0 : left[0]!.top;
    const onPage: Mark[] = [];
    const crossingEnd: Mark[] = [];
    let index = 0;
    for (; index < left.length && left[index]!.top < from + height; index += 1) {
      const mark = left[index]!;
      if (mark.bottom <= from + height || mark.top === from) onPage.push(mark);
      else crossingEnd.push(mark);
    }
    left = [...crossingEnd, ...left.slice(index)];
    const lowest = onPage.reduce((most, { bottom }) => Math.max(most, bottom), from);
    const to = left.length > 0 ? lowest + 1 : Infinity;
    const beside = divisible.filter(({ top, bottom }) => top <= to && bottom > from && top < from + height);
    pages.push({ from, marks: [...beside, ...onPage] });
  } while (left.length > 0);
  return pages;
}
