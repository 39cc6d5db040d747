import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sortKey } from './sort-key.ts';

/** As SQLite and PostgreSQL ("C") compare text: by its UTF-8 bytes. */
const inOrder = (names: string[]): string[] =>
  names.toSorted((a, b) => Buffer.compare(Buffer.from(sortKey(a)), Buffer.from(sortKey(b))));

function check(...names: string[]): void {
  assert.equal(inOrder(names.toReversed()), names);
}

test('numbers in names are sorted by value, in the digits of any script', () => {
  check('Form 2.pdf', 'Form 10.pdf', 'Form 16.pdf', 'Form 016A.pdf', 'Form 100.pdf');
  check('खाता १.pdf', 'खाता २.pdf', 'खाता १०.pdf');
  check('v1.2', 'v1.10', 'v2.1');
  check(`a${'9'.repeat(100)}`, `a1${'0'.repeat(100)}`);
  assert.is(sortKey('९').split('\u0001')[0], sortKey('9').split('\u0001')[0]);
});

test('case and accents count only between otherwise equal names', () => {
  check('Apple', 'apple', 'banana', 'Éclair', 'ECLAIRS', 'Zebra');
});

test('a name is sorted before its numbered copies', () => {
  check('report.pdf', 'report (2).pdf', 'report (10).pdf', 'report a.pdf', 'report-b.pdf');
});

test('words in Indic scripts are sorted by their vowel signs', () => {
  check('का', 'कि', 'की', 'कु', 'खा');
});

test('the sort key of any name has at most 600 characters', () => {
  for (const name of ['ﷺ'.repeat(255), '9'.repeat(255), '😀'.repeat(127), '\u0301'.repeat(255)]) {
    assert.ok(sortKey(name).length <= 600);
    assert.ok(sortKey(name).isWellFormed());
  }
});

test.run();
