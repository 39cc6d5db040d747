import { asciiDigits, hasCheckDigit } from '#server/reading/words/aadhaar.ts';

/** What is known of a page: its text, the box of each word, and of a scan how sure each word is. See `PageText`. */
export interface PageWords {
  text: string;
  boxes: readonly number[];
  /** Left out where the page is no scan. */
  sure?: readonly number[] | undefined;
  /** The box of each sign of the text, where that is known: then those of the words are not looked at. */
  signs?: readonly (Box | null)[];
}

/** Left, top, right and bottom, in tenths of a point. */
export type Box = [left: number, top: number, right: number, bottom: number];

/** A number that was found. */
export interface Found {
  /** Over all digits but the last four; empty where its words have no place. */
  boxes: Box[];
  /** Its last four digits, which stay. */
  end: string;
}

/** Whose presence on a card or form says that a number of twelve digits is one. */
const CARD = /AADHAA?R|ADHAA?R|आधार|\bUIDAI\b|UNIQUE IDENTIFICATION/i;
const LABEL = /AADHAA?R|ADHAA?R|आधार|\bUID(?:AI)?\b|\bVID\b|VIRTUAL ID|UNIQUE IDENTIFICATION|E-?KYC/i;
/** On scans also what else is printed on every card. */
const LABEL_OF_SCAN = /GOVERNMENT OF INDIA|भारत सरकार/i;

export const saysAadhaar = (text: string): boolean => CARD.test(text);
const isLabelled = ({ text, sure }: PageWords): boolean =>
  LABEL.test(text) || (sure !== undefined && LABEL_OF_SCAN.test(text));

interface Token {
  from: number;
  to: number;
  text: string;
}

// Digits, or the letters X in the place of digits that the reading has left out.
const TOKEN = /(?<![\dX])[\dX]+(?![\p{L}\d])/gu;
const MASKED = /^X{4,}\d*$/;
const BETWEEN = /^[\s\u00a0.\-–—/]{1,3}$/;
/** Letters that a scan gives for digits. */
const MISREAD: Record<string, string> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  I: '1',
  l: '1',
  '|': '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};
const MISTAKEN = /(?<!\S)[\dOoQDIl|ZSGB]{4}(?:[\dOoQDIl|ZSGB]{4}){0,2}(?!\S)/g;

const mended = (text: string): string =>
  text.replace(MISTAKEN, (word) => {
    const digits = word.replace(/\D/g, '').length;
    return digits * 2 < word.length ? word : word.replace(/[^\d]/g, (sign) => MISREAD[sign] ?? sign);
  });

function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    if (token.includes('X') && !MASKED.test(token)) continue;
    found.push({ from: match.index, to: match.index + token.length, text: token });
  }
  return found;
}

/** Contiguous digits that stand within something longer, such as a reference of a payment. */
const stuck = (text: string, { from, to }: { from: number; to: number }): boolean =>
  /[\p{L}/_-]/u.test(text[from - 1] ?? ' ') || /[\p{L}/_-]/u.test(text[to] ?? ' ');

/** More numbers of twelve digits than these on a page that does not speak of Aadhaar are references of a statement. */
const REFERENCES = 4;

interface Context {
  text: string;
  /** Whether the page, or any page of the file, speaks of Aadhaar. */
  page: boolean;
  file: boolean;
  references: boolean;
}

function isNumber(group: readonly Token[], { text, page, file, references }: Context): boolean {
  const all = group.map((one) => one.text).join('');
  const lengths = group.map((one) => one.text.length);
  const years = lengths.every((one) => one === 4) && group.every((one) => /^(?:19|20)\d\d$/.test(one.text));
  const left = all.includes('X');
  const checks = left || ((all.length === 16 || all[0]! >= '2') && hasCheckDigit(all));
  if (lengths.length === 1) {
    if (all.length === 16) return page || (file && checks);
    if (page && !stuck(text, { from: group[0]!.from, to: group[0]!.to })) return true;
    if (file) return checks;
    return checks && !references && !stuck(text, { from: group[0]!.from, to: group[0]!.to });
  }
  if (lengths.every((one) => one === 4)) {
    if (years && !page) return false;
    return checks ? page || !years : page && !years;
  }
  // A box for each digit, as forms have them, or a blank that a scan saw where there is none.
  if (lengths.every((one) => one === 1)) return checks;
  return checks && page;
}

/** The boxes of the words between two places of the text, each cut off behind the second one. */
function boxesOf({ text, boxes, signs }: PageWords, from: number, to: number): Box[] | null {
  if (signs) return overSigns(signs.slice(from, to));
  const found: Box[] = [];
  let at = -1;
  for (const match of text.matchAll(/\S+/g)) {
    at += 1;
    const [start, end] = [match.index, match.index + match[0].length];
    if (end <= from) continue;
    if (start >= to) break;
    const [left, top, width, height] = boxes.slice(at * 4, at * 4 + 4);
    if (left === undefined || top === undefined || width === undefined || height === undefined) return null;
    // Signs are not all as wide: of a word that goes on, half a digit more is covered.
    const part = end <= to ? 1 : Math.min(1, (to - start + 0.25) / (end - start));
    const [margin, rise] = [height * 0.08, height * 0.12];
    found.push([
      left - margin,
      top - rise,
      left + width * part + (part === 1 ? margin : 0),
      top + height + rise,
    ]);
  }
  return found;
}

/** One box for signs that follow each other on a line. */
function overSigns(signs: readonly (Box | null)[]): Box[] | null {
  const found: Box[] = [];
  for (const sign of signs) {
    if (!sign) continue;
    const [left, top, right, bottom] = sign;
    const rise = (bottom - top) * 0.2;
    const last = found.at(-1);
    const follows =
      last && left >= last[0] && left - last[2] < (bottom - top) * 2 && top < last[3] && bottom > last[1];
    if (!follows) {
      found.push([left, top - rise, right, bottom + rise]);
      continue;
    }
    last[1] = Math.min(last[1], top - rise);
    last[2] = Math.max(last[2], right);
    last[3] = Math.max(last[3], bottom + rise);
  }
  return found.length === 0 ? null : found;
}

/**
 * The Aadhaar numbers on a page, and the numbers of 16 digits that stand for them. A number that its check digit proves is
 * one; where the page speaks of Aadhaar also one that it does not, since a scan misreads digits: a number too many that is
 * covered costs little, one that is not costs all.
 * @param file whether any page of the file speaks of Aadhaar.
 */
export function numbersIn(page: PageWords, file = false): Found[] {
  const labelled = isLabelled(page);
  const ascii = asciiDigits(page.text);
  const digits = ascii.length === page.text.length ? ascii : page.text;
  const text = labelled && page.sure ? mended(digits) : digits;
  const tokens = tokensOf(text);
  const context: Context = {
    text,
    page: labelled,
    file: file || labelled,
    references: tokens.filter((one) => one.text.length === 12).length >= REFERENCES,
  };
  const found: Found[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const group = longest(tokens, at, text).find((one) => isNumber(one, context));
    if (!group) continue;
    const all = group.map((one) => one.text).join('');
    const last = all.length - 4;
    const stop = placeOf(group, last);
    found.push({ boxes: boxesOf(page, group[0]!.from, stop) ?? [], end: all.slice(last) });
    at += group.length - 1;
  }
  return found;
}

/** Where the sign with this place among the digits of a group begins, or the one before it ends. */
function placeOf(group: readonly Token[], place: number): number {
  let passed = 0;
  for (const one of group) {
    if (place <= passed + one.text.length) return one.from + (place - passed);
    passed += one.text.length;
  }
  return group.at(-1)!.to;
}

/** The tokens from one on that are of 16 signs together, and of 12. */
function longest(tokens: readonly Token[], at: number, text: string): Token[][] {
  const groups: Token[][] = [];
  let length = 0;
  for (let to = at; to < tokens.length && to - at < 16; to += 1) {
    const one = tokens[to]!;
    if (to > at && !BETWEEN.test(text.slice(tokens[to - 1]!.to, one.from))) break;
    length += one.text.length;
    if (length > 16) break;
    if (length === 12 || length === 16) groups.unshift(tokens.slice(at, to + 1));
  }
  return groups;
}
