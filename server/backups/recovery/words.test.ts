import { randomBytes } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { keyFromWords, WORDS, wordsOf, WrongWords } from './words.ts';

const key = Buffer.from('c0ffee0dd5b1a2948f7e6d5c4b3a291807f6e5d4c3b2a190807060504030201f', 'hex');
const words = wordsOf(key);
const fits = (other: Buffer) => other.equals(key);

function refusal(text: string, fitting?: typeof fits): string {
  try {
    keyFromWords(text, fitting);
  } catch (error) {
    if (error instanceof WrongWords) return error.message;
    throw error;
  }
  return '';
}

test('words are decoded to their key with numbers, commas, capitals or only their first four letters', () => {
  for (let n = 0; n < 20; n += 1) {
    const one = randomBytes(32);
    assert.ok(keyFromWords(wordsOf(one).join(' ')).equals(one));
  }
  const numbered = words.map((word, index) => `${index + 1}. ${word.toUpperCase()},`).join('\n');
  assert.ok(keyFromWords(numbered).equals(key));
  assert.ok(
    keyFromWords(words.map((word) => word.slice(0, 4)).join(' ')).equals(key),
    'four letters name a word',
  );
});

test('a word that is not in the list is reported with its number and the nearest word', () => {
  const misread = `${words[6]!.slice(0, 2)}${words[6]!.slice(3, 4)}${words[6]!.slice(2, 3)}${words[6]!.slice(4)}q`;
  const message = refusal(words.with(6, misread).join(' '));
  assert.match(message, `Word 7, "${misread}"`);
  assert.match(message, `Is it "${words[6]}"?`);
});

test('a single wrong word of the list, or a swap of neighbours, is reported if the right key can be recognised', () => {
  const other = words[11] === 'zoo' ? 'zone' : 'zoo';
  const message = refusal(words.with(11, other).join(' '), fits);
  assert.match(message, `Word 12 is wrong: it is not "${other}" but "${words[11]}"`);
  const swapped = words.with(3, words[4]!).with(4, words[3]!).join(' ');
  assert.match(refusal(swapped, fits), 'Words 4 and 5');
});

test('a missing word, the sheet of another vault and two wrong words get different messages', () => {
  assert.match(refusal(words.slice(1).join(' ')), `has ${WORDS} words, but these are 23`);
  assert.match(refusal(wordsOf(randomBytes(32)).join(' '), fits), 'of another key');
  const both = words
    .with(2, words[2] === 'zoo' ? 'zone' : 'zoo')
    .with(9, words[9] === 'able' ? 'above' : 'able');
  assert.match(refusal(both.join(' '), fits), /At least two|of another key/);
});

test.run();
