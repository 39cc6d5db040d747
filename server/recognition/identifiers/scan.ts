import type { IdentifierCheck } from '../contract.ts';
import { wordsBetween } from '../layout/labels.ts';
import type { Layout, Line, Word } from '../layout/page.ts';
import { normalIdentifier } from '../layout/values.ts';
import { accountNumbers } from './account-numbers.ts';
import type { Shape } from './shapes.ts';
import { SHAPES } from './shapes.ts';
import { misreadIdentifiers } from './suggest-correction.ts';

export interface Identifier {
  /** The key of its shape: `pan`. */
  name: string;
  value: string;
  check: IdentifierCheck;
  words: Word[];
  page: number;
}

/** Lines above that may have the heading of the column. */
const ABOVE = 3;
const MAX = 400;
/** Identifiers whose check digit proves a misreading, so that they need no label. */
const CHECKED = ['gstin', 'arn'];

/** The text before a position on its line and above it in its column, where a label would be. */
function labelContext(lines: readonly Line[], index: number, words: readonly Word[], before: string): string {
  const [first] = words;
  const above = lines
    .slice(Math.max(0, index - ABOVE), index)
    .flatMap(({ cells, page }) =>
      page === lines[index]!.page && first
        ? cells
            .filter(({ left, right }) => right > first.left - 100 && left < words.at(-1)!.right + 100)
            .map(({ text }) => text)
        : [],
    );
  return `${before.slice(-60)}\n${above.join('\n')}`.toUpperCase();
}

function* matches(shape: Shape, name: string, text: string): Generator<{ raw: string; start: number }> {
  const global = new RegExp(shape.pattern.source, 'g');
  for (const match of text.matchAll(global)) {
    const raw = match.at(-1) ?? match[0];
    if (name !== '') yield { raw, start: match.index + match[0].lastIndexOf(raw) };
  }
}

/** Finds every identifier, each value once, in document order. */
export function scan({ lines }: Layout, skip: (line: number) => boolean = () => false): Identifier[] {
  const found = new Map<string, Identifier>();
  const addIdentifier = (identifier: Identifier) => {
    const key = `${identifier.name} ${identifier.value}`;
    if (found.size < MAX && !found.has(key)) found.set(key, identifier);
  };
  const accountWords = new Set(accountNumbers(lines).flatMap(({ words }) => words));
  for (const [index, line] of lines.entries()) {
    const text = line.text.toUpperCase();
    if (!/\d/.test(text) || skip(index)) continue;
    const usedRanges: [number, number][] = [];
    for (const [name, shape] of Object.entries(SHAPES)) {
      for (const { raw, start } of matches(shape, name, text)) {
        const end = start + raw.length;
        if (usedRanges.some(([from, to]) => start < to && from < end)) continue;
        const words = wordsBetween(line, start, end);
        if (name === 'account_no' && !words.some((word) => accountWords.has(word))) continue;
        const context = labelContext(lines, index, words, text.slice(0, start));
        if (shape.label && !shape.label.test(context)) continue;
        const compact = raw.replace(/[\s-]/g, '');
        if (shape.not?.(name === 'llpin' ? raw : compact, `${context}\n${text}`)) continue;
        usedRanges.push([start, end]);
        const value = normalIdentifier(name, raw);
        addIdentifier({
          name,
          value,
          check: shape.check(compact),
          words,
          page: line.page,
        });
      }
    }
    for (const name of CHECKED)
      for (const { value, start, end } of misreadIdentifiers(text, name))
        addIdentifier({
          name,
          value,
          check: 'failed',
          words: wordsBetween(line, start, end),
          page: line.page,
        });
  }
  return [...found.values()];
}
