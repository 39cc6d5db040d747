import { namesAssessmentYear } from '#server/text/written-years.ts';
import type { ValueKind } from '../contract.ts';
import type { FoundValue } from './values.ts';
import { findValue } from './values.ts';
import type { Cell, Layout, Line, Word } from './page.ts';
import { cellOf } from './page.ts';
import { CLOSE, CLOSE_HEADING, cellsInColumn } from './columns.ts';
import { identifiersAfter, isNameKey } from '../values/party-name.ts';

/** How to find a value beside or below its label. */
export interface Label {
  kind: ValueKind;
  /** The name of the shape of an identifier; `year` for a year. */
  name: string;
  /** Lowercase; a blank matches any white space, `|` separates alternatives. */
  labels: string;
  /** The required form of the value. */
  like?: RegExp;
  /** Where to look; both by default. */
  where?: 'beside' | 'below';
  /** Which amount of a row, from 0; -1 for the last; the first by default. */
  nth?: number;
  /** Whether the label may be within a sentence. */
  within?: boolean;
}

/** A value with its words. */
export interface LocatedValue extends FoundValue {
  raw: string;
  words: Word[];
  page: number;
  /** The position relative to the label: the nearer, the more certain. */
  position: 'after' | 'beside' | 'below';
  line: number;
}

const NUMBERING = String.raw`^(?:\(?(?:\d{1,2}(?:\.\d{1,2}|[a-d])?|[a-h]|[ivx]{1,4})[.)]+\s*|[-•*●:]\s*|\d{1,2}\s+|\d{1,2}\s*(?=\())*`;
const AFTER = String.raw`(?=$|[\s:.,(/\-–=#|*₹])`;
/** A blank outside of a character class. */
export const BLANK = /\[(?:\\.|[^\]])*\]| /g;
const PATTERNS = new Map<string, RegExp>();

/** The pattern of a label at the beginning of a cell, after an optional row number. */
export function labelPattern(labels: string, within = false): RegExp {
  const key = `${within} ${labels}`;
  const cached = PATTERNS.get(key);
  if (cached) return cached;
  const source = `(?:${labels.replace(BLANK, (sign) => (sign === ' ' ? String.raw`[\s.]*\s` : sign))})${AFTER}`;
  const regExp = new RegExp(within ? String.raw`(?<![\p{L}\p{Nd}])${source}` : `${NUMBERING}${source}`, 'iu');
  PATTERNS.set(key, regExp);
  return regExp;
}

/** Punctuation between a label and its value, and remarks in brackets. */
const BETWEEN =
  /^(?:[\s:.,=–#|*-]|\((?![\d,.₹\s]+\))[^)]{0,60}\)|(?:in\s+)?(?:rs\.?|inr|₹)(?=[\s:)]*$)|(?:nos?|number)\b\.?(?=[\s:]))*/i;
const FILLER = /^(?:[:=.\-–|*]+|rs\.?|₹|inr|\(?in (?:rs\.?|₹)\)?|no\.?)$/i;

/** The words of a cell within a range of its text. */
export function wordsBetween({ words }: { words: readonly Word[] }, from: number, to = Infinity): Word[] {
  let offset = 0;
  return words.filter(({ text }) => {
    const [start, end] = [offset, offset + text.length];
    offset = end + 1;
    return end > from && start < to;
  });
}

const overlaps = (a: Cell, b: Cell): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.3 * Math.min(a.right - a.left, b.right - b.left);

/** The cell, and the cell joined with one, two or three lines below it, as in a heading of several lines. */
function joinedCells(lines: readonly Line[], index: number, cell: Cell): Cell[] {
  const joined: Cell[] = [cell];
  let last = cell;
  for (let next = index + 1; next <= index + 4 && joined.length < 4 && lines[next]; next += 1) {
    const line = lines[next]!;
    if (line.page !== lines[index]!.page || line.top - last.bottom > (last.bottom - last.top) * CLOSE_HEADING)
      break;
    const upper = last;
    const lower = line.cells.find(
      (cell) => overlaps(cell, upper) && (Math.abs(cell.left - upper.left) < 30 || overlaps(upper, cell)),
    );
    // The value of a two-line label may be between its lines.
    if (!lower && line.top < last.bottom) continue;
    if (!lower) break;
    joined.push(cellOf([...joined.at(-1)!.words, ...lower.words]));
    last = lower;
  }
  return joined;
}

interface LabelSearch {
  layout: Layout;
  candidates: LabelCandidate[];
  /** Whether a text is a label of this document type, and so not a value. */
  isLabel: (text: string) => boolean;
}

function valueIn(rule: Label, words: Word[], isLabel: (text: string) => boolean): FoundValue | null {
  const text = words.map((word) => word.text).join(' ');
  if (text === '' || (rule.kind === 'text' && isLabel(text.replace(/^[\s:.–-]+/, '')))) return null;
  if (rule.like) {
    const match = rule.like.exec(text);
    if (!match) return null;
    const raw = match[1] ?? match[0];
    const start = match.index + match[0].indexOf(raw);
    return { value: raw.trim(), start, end: start + raw.length };
  }
  return findValue(rule.kind, text, rule.name);
}

function located(
  found: FoundValue,
  words: Word[],
  position: LocatedValue['position'],
  page: number,
  line: number,
): LocatedValue {
  const valueWords = wordsBetween({ words }, found.start, found.end);
  const raw = valueWords.map(({ text }) => text).join(' ');
  return { ...found, words: valueWords, raw, position, page, line };
}

/**
 * The parts of what may follow a label without making it another label. One pattern for all of it would take exponential time. Signs end
 * before a bracket, which may begin a part.
 */
const TAIL = /\([^)]{0,18}\)|if any|rs\.?|inr|in|amount|paid|no\.?|number|code|[\s:.,\-–=)#*₹/|]+|\(/gi;

/** Whether the label ends here: before a value with a distinctive shape, a few more words may follow. */
const endsHere = (rule: Label, rest: string): boolean =>
  rest.replace(TAIL, '') === '' ||
  ((rule.kind === 'identifier' || rule.kind === 'date') &&
    !/^\s*of\b/i.test(rest) &&
    rest.trim().split(/\s+/).length <= 3 &&
    !/\d/.test(rest));

/** The next label on the same line, which ends a value. */
const NEXT_LABEL = /\s+(?:\p{Lu}[\p{L}.'/&]*\s+){0,3}\p{Lu}[\p{L}.'/&]*\s?:(?=\s|$)/u;

function afterLabel(
  rule: Label,
  cell: Cell,
  end: number,
  { isLabel }: LabelSearch,
): [FoundValue, Word[]] | null {
  const rest = cell.text.slice(end);
  const skipped = end + BETWEEN.exec(rest)![0].length;
  const text = cell.text.slice(skipped);
  if (text.trim() === '') return null;
  // Without a colon, text is more likely the rest of a longer label.
  if (rule.kind === 'text' && !rule.like && !/^[\s.]*[:=–-]/.test(rest.replace(/^\s*\([^)]*\)/, '')))
    return null;
  const next = (isNameKey(rule.name) ? identifiersAfter(text) : undefined) ?? NEXT_LABEL.exec(text)?.index;
  const stop = rule.kind === 'text' ? (next ?? Infinity) : Infinity;
  const words = wordsBetween(cell, skipped, skipped + stop);
  const found = valueIn(rule, words, isLabel);
  // `Date of liability` is not the label `Date`.
  if (found && rule.kind !== 'text' && /^\s*of\s/i.test(rest)) return null;
  // An amount directly follows its label, else it is a number among other words.
  if (
    found &&
    rule.kind === 'amount' &&
    /[\p{L}\p{Nd}]/u.test(text.slice(0, found.start).replace(/^\s*(?:rs|inr)\b/i, ''))
  )
    return null;
  return found && [found, words];
}

/** A value of several lines: the lines close to its first found line that have no label of their own. */
function multilineValue(lines: readonly Line[], index: number, first: Cell, label: Cell): Word[] {
  const words = [...first.words];
  for (const step of [-1, 1]) {
    let last = first;
    for (let next = index + step; lines[next] && Math.abs(next - index) <= 5; next += step) {
      const line = lines[next]!;
      const gap = step > 0 ? line.top - last.bottom : last.top - line.bottom;
      if (line.page !== lines[index]!.page || gap > (last.bottom - last.top) * CLOSE) break;
      const cell = line.cells.find(({ left }) => Math.abs(left - first.left) < 15);
      const hasOwnLabel = line.cells.some(
        (cell) =>
          cell.right <= first.left &&
          cell.right > label.left &&
          !cell.words.every((word) => label.words.includes(word)),
      );
      if (!cell && line.top < last.bottom && line.bottom > last.top && !hasOwnLabel) continue;
      if (!cell || hasOwnLabel) break;
      words[step > 0 ? 'push' : 'unshift'](...cell.words);
      last = cell;
    }
  }
  return words;
}

/** The cell whose lines are above and below the middle of a label, with none beside it. */
function straddling(lines: readonly Line[], index: number, label: Cell): [Line, Cell] | null {
  const [upper, lower] = [lines[index - 1], lines[index + 1]];
  const middle = (label.top + label.bottom) / 2;
  if (!upper || !lower || upper.page !== lower.page || upper.bottom < label.top || lower.top > label.bottom)
    return null;
  for (const cell of upper.cells) {
    if (cell.left < label.right - 5 || cell.top > middle) continue;
    const below = lower.cells.find(({ left }) => Math.abs(left - cell.left) < 15);
    if (below && below.top - cell.bottom < (cell.bottom - cell.top) * CLOSE) return [upper, cell];
  }
  return null;
}

function besideLabel(
  rule: Label,
  index: number,
  label: Cell,
  { layout: { lines }, isLabel }: LabelSearch,
): [FoundValue, Word[]] | null {
  const line = lines[index]!;
  const cells = line.cells.filter((cell) => cell.left >= label.right - 5 && !FILLER.test(cell.text));
  const amounts: [FoundValue, Word[]][] = [];
  let missed = 0;
  for (const cell of cells) {
    if (isLabel(cell.text.replace(/^[\s:.–-]+/, ''))) break;
    const found = valueIn(rule, cell.words, isLabel);
    if (!found) {
      missed += 1;
      if (rule.kind === 'text' || missed > 2 || amounts.length > 0) break;
      continue;
    }
    if (rule.kind === 'text' && !rule.like) {
      const words = multilineValue(lines, index, cell, label);
      return [valueIn(rule, words, isLabel) ?? found, words];
    }
    if (rule.kind !== 'amount') return [found, cell.words];
    amounts.push([found, cell.words]);
  }
  return amounts.at(rule.nth ?? 0) ?? null;
}

function belowLabel(
  rule: Label,
  index: number,
  label: Cell,
  { layout: { lines }, isLabel }: LabelSearch,
): [FoundValue, Word[], number] | null {
  const height = label.bottom - label.top;
  for (let next = index + 1; next <= index + 4 && lines[next]; next += 1) {
    const line = lines[next]!;
    if (line.page !== lines[index]!.page || line.top - label.bottom > height * 3) break;
    if (line.top < label.bottom - height * 0.5) continue;
    const below = line.cells.filter(
      (cell) =>
        // The second line of the label itself is not below it.
        !cell.words.every((word) => label.words.includes(word)) &&
        (overlaps(cell, label) || (cell.left >= label.left - 20 && cell.left < label.right)),
    );
    const cells = below.length > 0 ? below : cellsInColumn(lines, [index, next], label, isLabel);
    for (const cell of cells) {
      if (isLabel(cell.text)) return null;
      const found = valueIn(rule, cell.words, isLabel);
      if (found) return [found, cell.words, next];
      if (rule.kind === 'text') return null;
    }
  }
  return null;
}

/** A cell that may begin a label. */
export interface LabelCandidate {
  /** The index of its line. */
  index: number;
  cell: Cell;
  /** The cell alone, and joined with the cells below it. */
  joined: Cell[];
}

export const labelCandidates = ({ lines }: Layout): LabelCandidate[] =>
  lines.flatMap((line, index) =>
    line.cells.map((cell) => ({ index, cell, joined: joinedCells(lines, index, cell) })),
  );

/** Finds every label with a value, in document order. */
export function* findLabelled(rule: Label, search: LabelSearch): Generator<LocatedValue> {
  const pattern = labelPattern(rule.labels, rule.within);
  for (const { index, cell, joined } of search.candidates) {
    for (const label of joined) {
      const match = pattern.exec(label.text);
      if (!match) continue;
      const end = match.index + match[0].length;
      // Already found by its first line, with no value beside or below.
      if (label !== cell && end <= cell.text.length) break;
      const labelRule =
        rule.name === 'year' && namesAssessmentYear(match[0]) ? { ...rule, name: 'assessment_year' } : rule;
      const value = locateValue(labelRule, index, cell, label, end, search);
      if (!value) continue;
      yield value;
      break;
    }
  }
}

function locateValue(
  rule: Label,
  index: number,
  cell: Cell,
  label: Cell,
  end: number,
  search: LabelSearch,
): LocatedValue | null {
  const { lines } = search.layout;
  const { page } = lines[index]!;
  if (rule.where !== 'below') {
    const after = afterLabel(rule, label, end, search);
    if (after && label === cell) return located(after[0], after[1], 'after', page, index);
    if (!endsHere(rule, label.text.slice(end)))
      return after && located(after[0], after[1], 'after', page, index);
    const lineIndexes = label === cell ? [index] : [index, index + 1, index + 2];
    for (const lineIndex of lineIndexes) {
      const line = lines[lineIndex];
      if (!line || line.top > label.bottom || line.page !== page) break;
      const beside = besideLabel(rule, lineIndex, label, search);
      if (beside) return located(beside[0], beside[1], 'beside', page, lineIndex);
    }
    const split =
      rule.kind === 'text' && !rule.like && label === cell ? straddling(lines, index, label) : null;
    if (split && split[1].left - label.right < 3000) {
      const words = multilineValue(lines, index - 1, split[1], label);
      const found = valueIn(rule, words, search.isLabel);
      if (found) return located(found, words, 'beside', page, index);
    }
    if (after) return located(after[0], after[1], 'after', page, index);
  }
  if (rule.where === 'beside' || !endsHere(rule, label.text.slice(end))) return null;
  const below = belowLabel(rule, index, label, search);
  return below && located(below[0], below[1], 'below', page, below[2]);
}
