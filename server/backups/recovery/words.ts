import { createHash } from 'node:crypto';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

/** The number of words for a key of 32 bytes. */
export const WORDS = 24;

/** Encodes a key as 24 words (BIP 39); the last word contains the checksum. */
export const wordsOf = (key: Buffer): string[] => entropyToMnemonic(key, wordlist).split(' ');

/** The typed words are not a recovery sheet; the message names the wrong word if it is known. */
export class WrongWords extends Error {
  override name = 'WrongWords';
}

const INDEX = new Map(wordlist.map((word, index) => [word, index]));
const BITS = 11;

/**
 * Decodes word numbers to 32 bytes and checks the 8-bit checksum. The library does the same, but too slowly for the tens of
 * thousands of candidates tried to find a wrong word.
 */
function keyOf(numbers: readonly number[]): Buffer | null {
  const packed = Buffer.alloc((WORDS * BITS) / 8);
  for (const [index, number] of numbers.entries()) {
    const bit = index * BITS;
    // The eleven bits of a word span two or three bytes.
    const shifted = number << (24 - BITS - (bit % 8));
    const byte = bit >> 3;
    packed[byte]! |= shifted >> 16;
    packed[byte + 1]! |= (shifted >> 8) & 255;
    if (byte + 2 < packed.length) packed[byte + 2]! |= shifted & 255;
  }
  const key = packed.subarray(0, 32);
  return createHash('sha256').update(key).digest()[0] === packed[32] ? key : null;
}

/** The edit distance of two words, with a swap of neighbours as one edit. For hints only, so it is counted up to a small bound. */
function distance(a: string, b: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last![j]! + 1, row[j - 1]! + 1, last![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, before![j - 2]! + 1);
    }
    [before, last] = [last!, row];
  }
  return last![b.length]!;
}

/** The word of the list that equals the typed one or has the same first four letters. */
function listedWord(typed: string): string | null {
  if (INDEX.has(typed)) return typed;
  if (typed.length < 4) return null;
  return wordlist.find((word) => word.startsWith(typed)) ?? null;
}

function nearest(typed: string): string | null {
  const close = wordlist
    .map((word) => ({ word, edits: distance(typed, word) }))
    .toSorted((a, b) => a.edits - b.edits)[0]!;
  return close.edits <= 2 ? close.word : null;
}

const letters = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** Candidates with one word replaced or two neighbours swapped whose checksum is valid. */
function* corrections(
  numbers: readonly number[],
): Generator<{ key: Buffer; index: number; word: string | null }> {
  for (let index = 0; index + 1 < WORDS; index += 1) {
    const key = keyOf(numbers.with(index, numbers[index + 1]!).with(index + 1, numbers[index]!));
    if (key) yield { key, index, word: null };
  }
  for (let index = 0; index < WORDS; index += 1)
    for (const [number, word] of wordlist.entries()) {
      const key = number === numbers[index] ? null : keyOf(numbers.with(index, number));
      if (key) yield { key, index, word };
    }
}

/**
 * Decodes the words of a recovery sheet to the key. Numbers, commas, line ends and case are ignored; the first four letters of
 * a word suffice.
 * @param fits whether a key is the right one; it allows finding a single wrong word even if that is in the list.
 * @throws {WrongWords}
 */
export function keyFromWords(text: string, fits?: (key: Buffer) => boolean): Buffer {
  const typed = letters(text);
  if (typed.length !== WORDS)
    throw new WrongWords(
      `A recovery sheet has ${WORDS} words, but these are ${typed.length}. Type all of them, in their order.`,
    );
  const wrong = typed.flatMap((word, index) => (listedWord(word) ? [] : [{ word, at: index }]));
  if (wrong.length > 0)
    throw new WrongWords(
      wrong
        .map(({ word, at }) => {
          const hint = nearest(word);
          return `Word ${at + 1}, "${word}", is not in the list of words.${hint ? ` Is it "${hint}"?` : ''}`;
        })
        .join('\n'),
    );
  const words = typed.map((word) => listedWord(word)!);
  const numbers = words.map((word) => INDEX.get(word)!);
  const key = keyOf(numbers);
  if (key && (!fits || fits(key))) return key;
  for (const correction of fits ? corrections(numbers) : []) {
    if (!fits!(correction.key)) continue;
    throw new WrongWords(
      correction.word === null
        ? `Words ${correction.index + 1} and ${correction.index + 2}, "${words[correction.index]}" and "${words[correction.index + 1]}", have changed places. Look at the sheet again.`
        : `Word ${correction.index + 1} is wrong: it is not "${words[correction.index]}" but "${correction.word}". Look at the sheet again.`,
    );
  }
  throw new WrongWords(
    key
      ? 'These words are a recovery sheet, but of another key: of another vault, or from before the key was replaced.'
      : 'At least two of these words are wrong, or not in their order: each is in the list, but they do not fit together. Compare them with the sheet.',
  );
}
