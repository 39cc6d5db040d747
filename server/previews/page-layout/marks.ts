import type { Context } from './paper.ts';

/** Something drawn on one long strip of paper, which is then cut into pages. */
export interface Mark {
  /** Points from the top of the strip. */
  top: number;
  bottom: number;
  /** Whether it may be cut in two, as a line beside a text may. */
  divisible: boolean;
  /** @param at where its top is to stand. */
  draw(context: Context, at: number): void | Promise<void>;
}

/** What comes onto one page, and where on the strip its top is. */
export interface Leaf {
  from: number;
  marks: readonly Mark[];
}

/**
 * Puts each mark whole onto the first page that has room for it; the next page begins with the highest that had none.
 * What is divisible comes onto every page that it reaches.
 */
export function leaves(marks: readonly Mark[], height: number): Leaf[] {
  const divisible = marks.filter((mark) => mark.divisible);
  let left = marks.filter((mark) => !mark.divisible).toSorted((a, b) => a.top - b.top);
  const pages: Leaf[] = [];
  do {
    const from = pages.length === 0 ? 0 : left[0]!.top;
    const here: Mark[] = [];
    const over: Mark[] = [];
    let at = 0;
    for (; at < left.length && left[at]!.top < from + height; at += 1) {
      const mark = left[at]!;
      if (mark.bottom <= from + height || mark.top === from) here.push(mark);
      else over.push(mark);
    }
    left = [...over, ...left.slice(at)];
    const lowest = here.reduce((most, { bottom }) => Math.max(most, bottom), from);
    const to = left.length > 0 ? lowest + 1 : Infinity;
    const beside = divisible.filter(({ top, bottom }) => top <= to && bottom > from && top < from + height);
    pages.push({ from, marks: [...beside, ...here] });
  } while (left.length > 0);
  return pages;
}
