import type { IdentifierCheck } from '../contract.ts';
import { cut } from '../layout/labels.ts';
import type { Layout, Line, Word } from '../layout/page.ts';
import { normalIdentifier } from '../layout/values.ts';
import { repaired } from './repair.ts';
import type { Shape } from './shapes.ts';
import { SHAPES } from './shapes.ts';

export interface Identifier {
  /** Its shape: `pan`. */
  name: string;
  value: string;
  check: IdentifierCheck;
  words: Word[];
  page: number;
  /** Whether a sign was put right, with a check digit that agrees. */
  mended: boolean;
}

/** Lines above in which a heading of the column may stand. */
const ABOVE = 3;
const MAX = 400;

/** What stands before a place on its line, and above it in its column: where a label would be. */
function near(lines: readonly Line[], at: number, words: readonly Word[], before: string): string {
  const [first] = words;
  const above = lines
    .slice(Math.max(0, at - ABOVE), at)
    .flatMap(({ cells, page }) =>
      page === lines[at]!.page && first
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

/** Every identifier that the lines show, each value once, in the order of the document. */
export function scan({ lines }: Layout, skip: (line: number) => boolean = () => false): Identifier[] {
  const found = new Map<string, Identifier>();
  const note = (one: Identifier) => {
    const key = `${one.name} ${one.value}`;
    const known = found.get(key);
    if (found.size < MAX && (!known || (known.mended && !one.mended))) found.set(key, one);
  };
  for (const [at, line] of lines.entries()) {
    const text = line.text.toUpperCase();
    if (!/\d/.test(text)) continue;
    const taken: [number, number][] = [];
    for (const [name, shape] of Object.entries(SHAPES)) {
      if (skip(at)) continue;
      for (const { raw, start } of matches(shape, name, text)) {
        const end = start + raw.length;
        if (taken.some(([from, to]) => start < to && from < end)) continue;
        const words = cut(line, start, end);
        const around = near(lines, at, words, text.slice(0, start));
        if (shape.label && !shape.label.test(around)) continue;
        const tight = raw.replace(/[\s-]/g, '');
        if (shape.not?.(name === 'llpin' ? raw : tight, `${around}\n${text}`)) continue;
        taken.push([start, end]);
        const value = normalIdentifier(name, raw);
        note({ name, value, check: shape.check(tight), words, page: line.page, mended: false });
      }
    }
    for (const one of repaired(line)) note({ ...one, page: line.page, mended: true });
  }
  return [...found.values()];
}
