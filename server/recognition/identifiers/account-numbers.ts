import type { Cell, Line, Word } from '../layout/page.ts';

/** A number that its label calls an account. */
export interface AccountNumber {
  value: string;
  words: Word[];
  page: number;
  /** The line of the number. */
  line: number;
  /** The position relative to the label. */
  position: 'after' | 'beside' | 'below';
  /** Whether it is an account beside the one that the document is about: a loan, or a linked account. */
  isOther: boolean;
}

/** What is printed between a label and its number: kinds of accounts, currencies, words of headings. */
const BETWEEN =
  /^(?:[\s:.,\-–=#*|)/]|\([^)]*(?:\)|$)|(?:nos?|number|num|(?:&|and) ifsc?(?: code)?|id|is|for|of|with|in|your|statement|ending|savings?|current|overdraft|classic|inr|sb|ca|cc|od|संख्या|सं|क्रमांक|क्र|नंबर)(?![\p{L}\p{M}]))*$/iu;
const ACCOUNT =
  /(?<![\p{L}\p{M}])(?:a\s?\/\s?cs?|acc(?:oun)?ts?|acct|acc|ac|ledger(?=\s*no)|खाता|खाते)(?![\p{L}\p{M}])/giu;
/** The word after which a shorter number, or one below, is an account number. */
const NUMBER = /(?:nos?|number|num|#|संख्या|सं|क्रमांक|क्र|नंबर)(?![\p{L}\p{M}])/iu;
const OTHER = /(?<!\p{L})(?:loan|linked|link|nominee|beneficiary|mandate|sweep|fd|rd|demat|ऋण)(?!\p{L})/iu;
/** Labels of other numbers, beside which no heading above is looked for. */
const OTHER_LABEL =
  /(?<!\p{L})(?:cust(?:omer)?|client|cif|crn|ucic?|user|pin|tel(?:ephone)?|phone|mobile|mob|contact|fax|micr|ifsc?|ifs|branch|sol|gstin|pan|ckyc|kyc|folio|dp|code|date)(?!\p{L})|ग्राहक|दूरभाष|मोबाइल|:\s*$/iu;
/** A value: a long number, an amount, or a date. */
const FIGURE = /\d{4}|\d[.,/-]\d/;
const LETTERS = /\p{L}{2}/u;
const KIND_OF_ACCOUNT = /^(?:[:=.\-–|*]+|savings?|current|sb|ca|cc|od|inr|no\.?|number)$/i;

/** Lines above in which the heading of a number may be, and how far, in heights of its line. */
const [LINES_ABOVE, HEIGHTS_ABOVE] = [5, 5];
/** A longer line is of encoded data or of a wide table: it has no label. */
const WORDS_MAX = 200;
/** A longer cell is no heading, and each number below it would search all of it. */
const HEADING_CHARS = 300;
const FEWEST_DIGITS = { named: 5, unnamed: 9 };

interface Called {
  /** Whether the label says that a number follows. */
  isNamed: boolean;
  isOther: boolean;
}

/** What a label says of the number after it; null if it is not of an account. */
function calledAccount(label: string): Called | null {
  const last = Array.from(label.matchAll(ACCOUNT)).at(-1);
  if (!last) return null;
  const tail = label.slice(last.index + last[0].length);
  if (!BETWEEN.test(tail)) return null;
  return { isNamed: NUMBER.test(tail), isOther: OTHER.test(label.slice(0, last.index).slice(-24)) };
}

/** The text of a cell before a word, without values of other labels. */
function ownLabel({ words }: Cell, at: number, prefix: string): string {
  const before = words.slice(0, at).map(({ text }) => text);
  return [...before.slice(before.findLastIndex((text) => FIGURE.test(text)) + 1), prefix].join(' ');
}

const overlaps = (cell: Cell, word: Word): boolean =>
  Math.min(cell.right, word.right) > Math.max(cell.left, word.left) || Math.abs(cell.left - word.left) < 20;

/** The heading above a number in its column, of one or two lines; '' for none. */
function headingAbove(lines: readonly Line[], index: number, word: Word): string {
  const own = lines[index]!;
  let heading = '';
  for (let above = index - 1; above >= Math.max(0, index - LINES_ABOVE); above -= 1) {
    const line = lines[above]!;
    if (line.page !== own.page || own.top - line.bottom > (own.bottom - own.top) * HEIGHTS_ABOVE) break;
    const cell = line.cells.find((one) => overlaps(one, word));
    if (!cell) continue;
    if (cell.text.length > HEADING_CHARS) break;
    const isFigure = /\d{4}/.test(cell.text);
    // Several accounts may be below one heading.
    if (isFigure && !cell.words.some(({ text }) => !FIGURE.test(text) && LETTERS.test(text))) {
      if (heading !== '') break;
      continue;
    }
    if (isFigure) break;
    heading = `${cell.text} ${heading}`.trim();
    if (calledAccount(heading) || heading.split(' ').length > 3) break;
  }
  return heading;
}

/** The label of a number and what it says; null if it has none that calls it an account. */
function labelOf(
  lines: readonly Line[],
  index: number,
  word: Word,
  prefix: string,
): (Called & Pick<AccountNumber, 'position'>) | null {
  const line = lines[index]!;
  const nth = line.cells.findIndex(({ words }) => words.includes(word));
  const cell = line.cells[nth];
  if (!cell) return null;
  const own = ownLabel(cell, cell.words.indexOf(word), prefix);
  const called = calledAccount(own);
  if (called) return { ...called, position: 'after' };
  const plain = own.replace(/\p{P}+/gu, ' ').trim();
  if (LETTERS.test(own) && !KIND_OF_ACCOUNT.test(plain)) return null;
  const beside = line.cells.slice(0, nth).findLast(({ text }) => !KIND_OF_ACCOUNT.test(text));
  const label = beside && !/\d{4}/.test(beside.text) ? beside.text : '';
  const besideCalled = calledAccount(label);
  if (besideCalled) return { ...besideCalled, position: 'beside' };
  if (OTHER_LABEL.test(label)) return null;
  const heading = calledAccount(headingAbove(lines, index, word));
  return heading && { ...heading, position: 'below' };
}

const PATTERN = /(?<![\p{L}\p{Nd}])([X*]{1,14}\d{4,18}|\d{5,18})(?![\p{L}\p{Nd}]|[,/-]\d|\.\d)/iu;

/**
 * Finds the account numbers of a document: a bare number is one only if the label nearest to it says so, before it on its
 * line or above it in its column.
 */
export function accountNumbers(lines: readonly Line[]): AccountNumber[] {
  return lines.flatMap((line, index) =>
    (line.words.length > WORDS_MAX ? [] : line.words).flatMap((word): AccountNumber[] => {
      const match = PATTERN.exec(word.text);
      if (!match) return [];
      const label = labelOf(lines, index, word, word.text.slice(0, match.index));
      const value = match[1]!.toUpperCase();
      const isMasked = !/^\d/.test(value);
      const fewest = label?.isNamed ? FEWEST_DIGITS.named : FEWEST_DIGITS.unnamed;
      if (!label || (!isMasked && value.length < fewest)) return [];
      // A heading without "number" may be of a balance.
      if (label.position === 'below' && !label.isNamed) return [];
      return [
        {
          value,
          words: [word],
          page: line.page,
          line: index,
          position: label.position,
          isOther: label.isOther,
        },
      ];
    }),
  );
}
