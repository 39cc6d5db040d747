import type { Seen } from '../readers/contract.ts';
import type { PageSkew } from '../words/skew.ts';
import { plausibilityOf, repairGstin } from './checks.ts';
import type { ScannedWord } from './words.ts';

export interface MergedWord extends ScannedWord {
  seen: Seen;
}

/** Two words are the same if they overlap by this share of the narrower one. */
const OVERLAP_MIN = 0.4;
/** A word read by only one recogniser is more often dirt than text. */
const [NETWORKS_ONLY_MIN, TESSERACT_ONLY_MIN] = [0.4, 0.45];
/** Dirt is read as a single letter, seldom as a word. */
const NETWORKS_ONLY_LETTER_MIN = 0.75;
/** Below this confidence a word of Tesseract is a guess. */
const TESSERACT_MIN = 0.3;
const HINDI = /\p{Script=Devanagari}/u;
/** The networks were trained on Chinese, and read smudges and stamps as such characters. */
const CHINESE = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;
const RUPEE = /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana})(?=\d[\d,]*(?:\.\d\d)?$)/u;
const HAS_TEXT = /[\p{L}\p{Nd}]/u;
const GSTIN_LENGTH = 15;
const HAS_DIGIT = /\d/;

const middle = ({ top, bottom }: ScannedWord): number => (top + bottom) / 2;

function overlaps(a: ScannedWord, b: ScannedWord): boolean {
  const sharedWidth = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  if (sharedWidth < OVERLAP_MIN * Math.min(a.right - a.left, b.right - b.left)) return false;
  const smallerHeight = Math.min(a.bottom - a.top, b.bottom - b.top);
  return Math.abs(middle(a) - middle(b)) < smallerHeight * 0.6;
}

interface Group {
  networks: ScannedWord[];
  tesseract: ScannedWord[];
}

/** Groups the words of both recognisers that overlap. */
function groupsOf(networks: readonly ScannedWord[], tesseract: readonly ScannedWord[]): Group[] {
  const owner = new Map<ScannedWord, Group>();
  const groups = new Set<Group>();
  for (const word of networks) {
    const group: Group = { networks: [word], tesseract: [] };
    owner.set(word, group);
    groups.add(group);
  }
  for (const word of tesseract) {
    const touching = new Set(
      networks.filter((other) => overlaps(word, other)).map((other) => owner.get(other)!),
    );
    const [first, ...others] = touching;
    const group = first ?? { networks: [], tesseract: [] };
    groups.add(group);
    group.tesseract.push(word);
    for (const other of others) {
      groups.delete(other);
      group.networks.push(...other.networks);
      group.tesseract.push(...other.tesseract);
      for (const moved of other.networks) owner.set(moved, group);
    }
  }
  return [...groups];
}

const leftToRight = (words: readonly ScannedWord[]): ScannedWord[] =>
  words.toSorted((a, b) => a.left - b.left);
const textOf = (words: readonly ScannedWord[]): string => words.map(({ text }) => text).join('');
const lowestConfidence = (words: readonly ScannedWord[]): number =>
  Math.min(...words.map(({ confidence }) => confidence));

/** Chooses between two readings of the same place. */
function choose(networks: readonly ScannedWord[], tesseract: readonly ScannedWord[]): 'n' | 't' {
  const [byNetworks, byTesseract] = [textOf(networks), textOf(tesseract)];
  if (HINDI.test(byTesseract) || CHINESE.test(byNetworks)) return 't';
  const plausibilities = [networks, tesseract].map((words) =>
    Math.max(...words.map(({ text }) => plausibilityOf(text))),
  );
  if (plausibilities[0] !== plausibilities[1]) return plausibilities[0]! > plausibilities[1]! ? 'n' : 't';
  // `0n` and `1td` are misreadings: lowercase letters and digits seldom occur in one word.
  const mixed = [byNetworks, byTesseract].map((text) => /[a-z]/.test(text) && HAS_DIGIT.test(text));
  if (mixed[0] !== mixed[1]) return mixed[0] ? 't' : 'n';
  const [sureNetworks, sureTesseract] = [lowestConfidence(networks), lowestConfidence(tesseract)];
  // The networks read figures better, Tesseract words.
  if (HAS_DIGIT.test(byNetworks) || HAS_DIGIT.test(byTesseract))
    return sureNetworks >= Math.min(0.7, sureTesseract) ? 'n' : 't';
  return sureTesseract >= Math.min(0.6, sureNetworks) ? 't' : 'n';
}

/** Repairs a GSTIN with a wrong check character, which both misread alike, such as an O for a digit. */
function withRepairedGstin(word: MergedWord): MergedWord {
  if (word.text.length !== GSTIN_LENGTH || plausibilityOf(word.text) === 2) return word;
  const repaired = repairGstin([word.text]);
  return repaired ? { ...word, text: repaired, confidence: 0.93 } : word;
}

/** Of two readings with the same letters, the one with more words: a gap is more easily overlooked than invented. */
const moreWords = (
  networks: readonly ScannedWord[],
  tesseract: readonly ScannedWord[],
): readonly ScannedWord[] => (networks.length > tesseract.length ? networks : tesseract);

function mergeGroup({ networks: ofNetworks, tesseract: ofTesseract }: Group): MergedWord[] {
  const [networks, tesseract] = [leftToRight(ofNetworks), leftToRight(ofTesseract)];
  if (tesseract.length === 0)
    return networks
      .filter(
        ({ text, confidence }) =>
          confidence >= (text.length > 1 ? NETWORKS_ONLY_MIN : NETWORKS_ONLY_LETTER_MIN) &&
          HAS_TEXT.test(text) &&
          !CHINESE.test(text),
      )
      .map((word) => ({ ...word, seen: 'n' }));
  if (networks.length === 0)
    return tesseract
      .filter(({ text, confidence }) => confidence >= TESSERACT_ONLY_MIN && HAS_TEXT.test(text))
      .map((word) => ({ ...word, seen: 't' }));
  const confidence = Math.max(lowestConfidence(networks), lowestConfidence(tesseract));
  if (textOf(networks) === textOf(tesseract))
    return moreWords(networks, tesseract).map((word) =>
      withRepairedGstin({ ...word, confidence: Math.max(confidence, 0.97), seen: 'b' }),
    );
  if (networks.length === 1 && tesseract.length === 1) {
    const repaired = repairGstin([networks[0]!.text, tesseract[0]!.text]);
    if (repaired) return [{ ...tesseract[0]!, text: repaired, confidence: 0.95, seen: 'b' }];
  }
  const seen = choose(networks, tesseract);
  const words = seen === 'n' ? networks : tesseract;
  return words
    .filter(({ text }) => !CHINESE.test(text))
    .map((word) => {
      const plausibility = plausibilityOf(word.text);
      // The readings differ, and nothing proves either right.
      const ceiling = plausibility === 2 ? 0.97 : plausibility === 1 ? 0.85 : 0.75;
      return { ...word, confidence: Math.min(word.confidence, ceiling), seen };
    });
}

/** A word of capitals with zeros, and no other digit. */
const CAPITALS_WITH_ZEROS = /^\P{L}*(?:\p{Lu}+[.,:;-]?|0)+\P{L}*$/u;

/** Turns zeros among capitals into the letter O, unless the word has the format of an identifier. */
function withoutZeros(word: MergedWord): MergedWord {
  const { text } = word;
  const letters = text.match(/\p{Lu}/gu)?.length ?? 0;
  const zeros = text.match(/0/g)?.length ?? 0;
  if (
    zeros === 0 ||
    letters < zeros ||
    !CAPITALS_WITH_ZEROS.test(text) ||
    /[1-9]/.test(text) ||
    plausibilityOf(text) > 0
  )
    return word;
  return { ...word, text: text.replaceAll('0', 'O'), confidence: Math.min(word.confidence, 0.75) };
}

/** Normalises characters: the networks write full-width brackets and colons as in Chinese print. */
const normalised = (word: ScannedWord): ScannedWord[] => {
  const plain = word.text.normalize('NFKC').replace(/[‘’]/g, "'").replace(/[“”]/g, '"').trim();
  // The networks do not know the rupee sign, and read it as a Chinese character.
  const text = plain.replace(RUPEE, '₹');
  return text === '' || /\s/.test(text) ? splitWord(word, text) : [{ ...word, text }];
};

/** Splits a word that contains a blank. */
function splitWord(word: ScannedWord, text: string): ScannedWord[] {
  const parts = text.split(/\s+/).filter(Boolean);
  return parts.map((part, index) => {
    const width = (word.right - word.left) / parts.length;
    return { ...word, text: part, left: word.left + width * index, right: word.left + width * (index + 1) };
  });
}

/**
 * Merges the readings of both recognisers. Where they agree the confidence is high; where they differ, a proof such
 * as a check character decides.
 */
export const mergeReadings = (
  networks: readonly ScannedWord[],
  tesseract: readonly ScannedWord[],
): MergedWord[] =>
  groupsOf(
    networks.flatMap(normalised),
    tesseract.flatMap(normalised).filter((word) => word.confidence >= TESSERACT_MIN || HINDI.test(word.text)),
  )
    .flatMap(mergeGroup)
    .map(withoutZeros);

/** Sorts words into rows in reading order. @param skew the skew of the page. */
export function rowsOf<Word extends ScannedWord>(
  words: readonly Word[],
  skew: PageSkew | null = null,
): Word[][] {
  const positioned = words.map((word) => {
    const y = middle(word);
    return { word, height: word.bottom - word.top, y: skew?.levelledY((word.left + word.right) / 2, y) ?? y };
  });
  const rows: { words: Word[]; y: number; height: number }[] = [];
  for (const { word, y, height } of positioned.toSorted((a, b) => a.y - b.y)) {
    const row = rows.findLast(
      (candidate) => Math.abs(candidate.y - y) < Math.min(candidate.height, height) * 0.5,
    );
    if (row) {
      row.words.push(word);
      row.y += (y - row.y) / row.words.length;
    } else rows.push({ words: [word], y, height });
  }
  return rows.toSorted((a, b) => a.y - b.y).map((row) => leftToRight(row.words) as Word[]);
}
