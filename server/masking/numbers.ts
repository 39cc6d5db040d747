import { asciiDigits, GAP_OF_AADHAAR } from '#server/text/aadhaar.ts';
import { verhoeffHolds } from '#server/text/check-digits.ts';

/** The text of a page and the boxes of its words; of a scan also the confidence of each word. See `PageText`. */
export interface PageWords {
  text: string;
  boxes: readonly number[];
  /** Left out unless the page is a scan. */
  sure?: readonly number[] | undefined;
  /** The box of each character, if known; overrides `boxes`. */
  characters?: readonly (Box | null)[];
}

/** Left, top, right and bottom, in tenths of a point. */
export type Box = [left: number, top: number, right: number, bottom: number];

/** A number on a page. */
export interface Found {
  /** Cover all digits but the last four; empty if the words have no boxes. */
  boxes: Box[];
  /** Its last four digits, which stay visible. */
  end: string;
}

/** Text of a card or form that makes any number of twelve digits an Aadhaar number. */
const CARD = /AADHAA?R|ADHAA?R|आधार|\bUIDAI\b|UNIQUE IDENTIFICATION/i;
// A low line joins a label to its number in names of fields and files, such as uid_no.
const LABEL =
  /AADHAA?R|ADHAA?R|आधार|(?<![A-Z\d])(?:UID(?:AI)?|VID)(?![A-Z\d])|VIRTUAL ID|UNIQUE IDENTIFICATION|E-?KYC/i;
/** On scans, other text that is on every card counts too. */
const LABEL_OF_SCAN = /GOVERNMENT OF INDIA|भारत सरकार/i;

export const mentionsAadhaar = (text: string): boolean => CARD.test(text);
const isLabelled = ({ text, sure }: PageWords): boolean =>
  LABEL.test(text) || (sure !== undefined && LABEL_OF_SCAN.test(text));

interface Token {
  from: number;
  to: number;
  text: string;
}

// Digits, or X in place of digits that the reading has masked. Whatever follows them: a form may set S/O or DOB right after
// a number, and Hindi a postposition.
const TOKEN = /X{4,}\d*|\d+/g;
const SEPARATOR = new RegExp(`^${GAP_OF_AADHAAR}{1,3}$`, 'u');
/** Letters that OCR confuses with digits. */
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
const CONFUSED_WORD = /(?<!\S)[\dOoQDIl|ZSGB]{4}(?:[\dOoQDIl|ZSGB]{4}){0,2}(?!\S)/g;

const withoutConfusions = (text: string): string =>
  text.replace(CONFUSED_WORD, (word) => {
    const digits = word.replace(/\D/g, '').length;
    return digits * 2 < word.length
      ? word
      : word.replace(/[^\d]/g, (character) => MISREAD[character] ?? character);
  });

function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN))
    found.push({ from: index, to: index + token.length, text: token });
  return found;
}

/** Whether digits are part of something longer, such as a payment reference. */
const isPartOfWord = (text: string, { from, to }: { from: number; to: number }): boolean =>
  /[\p{L}/_-]/u.test(text[from - 1] ?? ' ') || /[\p{L}/_-]/u.test(text[to] ?? ' ');

/** At least this many numbers of twelve digits on a page that does not mention Aadhaar are payment references. */
const REFERENCES_MIN = 4;

interface Context {
  text: string;
  /** Whether the page, or any page of the file, mentions Aadhaar. */
  page: boolean;
  file: boolean;
  references: boolean;
}

function isNumber(group: readonly Token[], { text, page, file, references }: Context): boolean {
  const all = group.map((token) => token.text).join('');
  const lengths = group.map((token) => token.text.length);
  const years =
    lengths.every((length) => length === 4) && group.every((token) => /^(?:19|20)\d\d$/.test(token.text));
  const left = all.includes('X');
  const checks = left || ((all.length === 16 || all[0]! >= '2') && verhoeffHolds(all));
  if (lengths.length === 1) {
    if (all.length === 16) return page || (file && checks);
    if (page && !isPartOfWord(text, { from: group[0]!.from, to: group[0]!.to })) return true;
    if (file) return checks;
    return checks && !references && !isPartOfWord(text, { from: group[0]!.from, to: group[0]!.to });
  }
  if (lengths.every((length) => length === 4)) {
    if (years && !page) return false;
    return checks ? page || !years : page && !years;
  }
  // Single digits in boxes as on forms, or with blanks that OCR inserted.
  if (lengths.every((length) => length === 1)) return checks;
  return checks && page;
}

/** The boxes of the words between two positions of the text; a word that continues is cut after `to`. */
function boxesOf({ text, boxes, characters }: PageWords, from: number, to: number): Box[] | null {
  if (characters) return boxesAround(characters.slice(from, to));
  const found: Box[] = [];
  let index = -1;
  for (const match of text.matchAll(/\S+/g)) {
    index += 1;
    const [start, end] = [match.index, match.index + match[0].length];
    if (end <= from) continue;
    if (start >= to) break;
    const [left, top, width, height] = boxes.slice(index * 4, index * 4 + 4);
    if (left === undefined || top === undefined || width === undefined || height === undefined) return null;
    // Characters differ in width: cover a quarter of a character more of a word that continues.
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

/** Combines consecutive characters of a line into one box. */
function boxesAround(characters: readonly (Box | null)[]): Box[] | null {
  const found: Box[] = [];
  for (const character of characters) {
    if (!character) continue;
    const [left, top, right, bottom] = character;
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
 * Finds the Aadhaar numbers on a page, and the virtual IDs of 16 digits. A correct check digit proves a number; on a
 * page that mentions Aadhaar a wrong one does too, since OCR misreads digits: covering too much costs little, missing
 * a number costs all.
 * @param file whether any page of the file mentions Aadhaar.
 */
export function numbersIn(page: PageWords, file = false): Found[] {
  return [...numberGroups(page, file)].map((group) => {
    const all = group.map((token) => token.text).join('');
    const last = all.length - 4;
    const stop = positionOf(group, last);
    return { boxes: boxesOf(page, group[0]!.from, stop) ?? [], end: all.slice(last) };
  });
}

/** Whether a page has an Aadhaar number or a virtual ID, in time proportional to its length. See `numbersIn`. */
export const hasNumber = (page: PageWords, file: boolean): boolean =>
  numberGroups(page, file).next().done !== true;

/** The tokens of each number on a page. */
function* numberGroups(page: PageWords, file: boolean): Generator<readonly Token[]> {
  const labelled = isLabelled(page);
  const ascii = asciiDigits(page.text);
  const digits = ascii.length === page.text.length ? ascii : page.text;
  const text = labelled && page.sure ? withoutConfusions(digits) : digits;
  const tokens = tokensOf(text);
  const context: Context = {
    text,
    page: labelled,
    file: file || labelled,
    references: tokens.filter((token) => token.text.length === 12).length >= REFERENCES_MIN,
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const group = groupsFrom(tokens, index, text).find((candidate) => isNumber(candidate, context));
    if (!group) continue;
    yield group;
    index += group.length - 1;
  }
}

/** The text position of a digit of a group by its index. */
function positionOf(group: readonly Token[], index: number): number {
  let passed = 0;
  for (const token of group) {
    if (index <= passed + token.text.length) return token.from + (index - passed);
    passed += token.text.length;
  }
  return group.at(-1)!.to;
}

/** The groups of consecutive tokens from an index that have 16 or 12 digits in all. */
function groupsFrom(tokens: readonly Token[], index: number, text: string): Token[][] {
  const groups: Token[][] = [];
  let length = 0;
  for (let to = index; to < tokens.length && to - index < 16; to += 1) {
    const token = tokens[to]!;
    if (to > index && !SEPARATOR.test(text.slice(tokens[to - 1]!.to, token.from))) break;
    length += token.text.length;
    if (length > 16) break;
    if (length === 12 || length === 16) groups.unshift(tokens.slice(index, to + 1));
  }
  return groups;
}
