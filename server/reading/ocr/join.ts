import type { Seen } from '../readers/contract.ts';
import type { Level } from '../words/skew.ts';
import { formOf, gstinOf } from './checks.ts';
import type { ScannedWord } from './words.ts';

export interface JoinedWord extends ScannedWord {
  seen: Seen;
}

/** Of the narrower one, this part lies over the other. */
const OVER = 0.4;
/** What only one has seen is dirt more often than a word. */
const [ALONE, ALONE_TESSERACT] = [0.4, 0.45];
/** Dirt is taken for a single letter, seldom for a word. */
const ALONE_LETTER = 0.75;
/** Read so badly by Tesseract, a word is a guess. */
const WILD = 0.3;
const HINDI = /\p{Script=Devanagari}/u;
/** The networks were taught Chinese, and take a smudge or a stamp for it. */
const CHINESE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;
const RUPEE = /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana})(?=\d[\d,]*(?:\.\d\d)?$)/u;
const SAYS = /[\p{L}\p{Nd}]/u;
const GSTIN_LENGTH = 15;
const HAS_DIGIT = /\d/;

const middle = ({ top, bottom }: ScannedWord): number => (top + bottom) / 2;

function over(one: ScannedWord, other: ScannedWord): boolean {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  if (wide < OVER * Math.min(one.right - one.left, other.right - other.left)) return false;
  const lower = Math.min(one.bottom - one.top, other.bottom - other.top);
  return Math.abs(middle(one) - middle(other)) < lower * 0.6;
}

interface Group {
  networks: ScannedWord[];
  tesseract: ScannedWord[];
}

/** Words of both that lie over one another, each in one group. */
function groupsOf(networks: readonly ScannedWord[], tesseract: readonly ScannedWord[]): Group[] {
  const owner = new Map<ScannedWord, Group>();
  const groups = new Set<Group>();
  for (const word of networks) {
    const group: Group = { networks: [word], tesseract: [] };
    owner.set(word, group);
    groups.add(group);
  }
  for (const word of tesseract) {
    const joined = new Set(networks.filter((other) => over(word, other)).map((other) => owner.get(other)!));
    const [first, ...others] = joined;
    const group = first ?? { networks: [], tesseract: [] };
    groups.add(group);
    group.tesseract.push(word);
    for (const other of others) {
      groups.delete(other);
      group.networks.push(...other.networks);
      group.tesseract.push(...other.tesseract);
      for (const one of other.networks) owner.set(one, group);
    }
  }
  return [...groups];
}

const ordered = (words: readonly ScannedWord[]): ScannedWord[] => words.toSorted((a, b) => a.left - b.left);
const textOf = (words: readonly ScannedWord[]): string => words.map(({ text }) => text).join('');
const least = (words: readonly ScannedWord[]): number => Math.min(...words.map(({ sure }) => sure));

/** Which of two readings of the same place is the better one. */
function better(networks: readonly ScannedWord[], tesseract: readonly ScannedWord[]): 'n' | 't' {
  const [byNetworks, byTesseract] = [textOf(networks), textOf(tesseract)];
  if (HINDI.test(byTesseract) || CHINESE.test(byNetworks)) return 't';
  const forms = [networks, tesseract].map((words) => Math.max(...words.map(({ text }) => formOf(text))));
  if (forms[0] !== forms[1]) return forms[0]! > forms[1]! ? 'n' : 't';
  // `0n` and `1td` are slips: small letters and figures seldom stand in one word.
  const mixed = [byNetworks, byTesseract].map((text) => /[a-z]/.test(text) && HAS_DIGIT.test(text));
  if (mixed[0] !== mixed[1]) return mixed[0] ? 't' : 'n';
  const [sureNetworks, sureTesseract] = [least(networks), least(tesseract)];
  // Figures the networks read better, words Tesseract does.
  if (HAS_DIGIT.test(byNetworks) || HAS_DIGIT.test(byTesseract))
    return sureNetworks >= Math.min(0.7, sureTesseract) ? 'n' : 't';
  return sureTesseract >= Math.min(0.6, sureNetworks) ? 't' : 'n';
}

/** A GSTIN whose check letter is wrong was misread, by both alike: an O in the place of a digit, say. */
function proved(word: JoinedWord): JoinedWord {
  if (word.text.length !== GSTIN_LENGTH || formOf(word.text) === 2) return word;
  const right = gstinOf([word.text]);
  return right ? { ...word, text: right, sure: 0.93 } : word;
}

/** Of two readings with the same letters, the one that parts more words: it is easier to overlook a gap than to see one. */
const parted = (
  networks: readonly ScannedWord[],
  tesseract: readonly ScannedWord[],
): readonly ScannedWord[] => (networks.length > tesseract.length ? networks : tesseract);

function joined({ networks: ofNetworks, tesseract: ofTesseract }: Group): JoinedWord[] {
  const [networks, tesseract] = [ordered(ofNetworks), ordered(ofTesseract)];
  if (tesseract.length === 0)
    return networks
      .filter(
        ({ text, sure }) =>
          sure >= (text.length > 1 ? ALONE : ALONE_LETTER) && SAYS.test(text) && !CHINESE.test(text),
      )
      .map((word) => ({ ...word, seen: 'n' }));
  if (networks.length === 0)
    return tesseract
      .filter(({ text, sure }) => sure >= ALONE_TESSERACT && SAYS.test(text))
      .map((word) => ({ ...word, seen: 't' }));
  const sure = Math.max(least(networks), least(tesseract));
  if (textOf(networks) === textOf(tesseract))
    return parted(networks, tesseract).map((word) =>
      proved({ ...word, sure: Math.max(sure, 0.97), seen: 'b' }),
    );
  if (networks.length === 1 && tesseract.length === 1) {
    const right = gstinOf([networks[0]!.text, tesseract[0]!.text]);
    if (right) return [{ ...tesseract[0]!, text: right, sure: 0.95, seen: 'b' }];
  }
  const seen = better(networks, tesseract);
  const words = seen === 'n' ? networks : tesseract;
  return words
    .filter(({ text }) => !CHINESE.test(text))
    .map((word) => {
      const form = formOf(word.text);
      // They do not agree, and nothing proves either right.
      const most = form === 2 ? 0.97 : form === 1 ? 0.85 : 0.75;
      return { ...word, sure: Math.min(word.sure, most), seen };
    });
}

/** A word of capitals in which the networks saw naughts for the letter O, and no other digit. */
const NAUGHTS = /^\P{L}*(?:\p{Lu}+[.,:;-]?|0)+\P{L}*$/u;

/** Capitals with a naught between them are a word, unless they have the form of a number of something. */
function withLetters(word: JoinedWord): JoinedWord {
  const { text } = word;
  const letters = text.match(/\p{Lu}/gu)?.length ?? 0;
  const naughts = text.match(/0/g)?.length ?? 0;
  if (naughts === 0 || letters < naughts || !NAUGHTS.test(text) || /[1-9]/.test(text) || formOf(text) > 0)
    return word;
  return { ...word, text: text.replaceAll('0', 'O'), sure: Math.min(word.sure, 0.75) };
}

/** Letters and signs as a keyboard has them: the networks write wide brackets and colons as in Chinese print. */
const plain = (word: ScannedWord): ScannedWord[] => {
  const keyed = word.text.normalize('NFKC').replace(/[‘’]/g, "'").replace(/[“”]/g, '"').trim();
  // The sign of the rupee is not among the letters that the networks know: they take it for a Chinese one.
  const text = keyed.replace(RUPEE, '₹');
  return text === '' || /\s/.test(text) ? textParts(word, text) : [{ ...word, text }];
};

/** A word in which a blank stood after all. */
function textParts(word: ScannedWord, text: string): ScannedWord[] {
  const parts = text.split(/\s+/).filter(Boolean);
  return parts.map((part, at) => {
    const width = (word.right - word.left) / parts.length;
    return { ...word, text: part, left: word.left + width * at, right: word.left + width * (at + 1) };
  });
}

/** One reading from two: where they agree it is sure, where not what proves itself counts, such as a check letter. */
export const join = (networks: readonly ScannedWord[], tesseract: readonly ScannedWord[]): JoinedWord[] =>
  groupsOf(
    networks.flatMap(plain),
    tesseract.flatMap(plain).filter((word) => word.sure >= WILD || HINDI.test(word.text)),
  )
    .flatMap(joined)
    .map(withLetters);

/** Words in the order in which they are read, line by line; `level` says where lines lean. */
export function rowsOf<Word extends ScannedWord>(
  words: readonly Word[],
  level: Level | null = null,
): Word[][] {
  const placed = words.map((word) => {
    const y = middle(word);
    return { word, height: word.bottom - word.top, y: level?.height((word.left + word.right) / 2, y) ?? y };
  });
  const rows: { words: Word[]; y: number; height: number }[] = [];
  for (const { word, y, height } of placed.toSorted((a, b) => a.y - b.y)) {
    const row = rows.findLast((one) => Math.abs(one.y - y) < Math.min(one.height, height) * 0.5);
    if (row) {
      row.words.push(word);
      row.y += (y - row.y) / row.words.length;
    } else rows.push({ words: [word], y, height });
  }
  return rows.toSorted((a, b) => a.y - b.y).map((row) => ordered(row.words) as Word[]);
}
