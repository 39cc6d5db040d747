import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { namesChange } from './en/itemDialogs.ts';
import { saved, savedBefore } from './en/preview.ts';
import { linkMade } from './en/sharing.ts';
import { grammarOf } from './grammar.ts';
import { pieces } from './pieces.ts';
import { pseudo } from './pseudo.ts';
import { recipientTexts, requestPageTexts } from './outside/texts.ts';
import type { Messages } from './types.ts';

const english = grammarOf('en-IN');

test('a number selects its plural form, and its digits are grouped as in India', () => {
  const files = { one: '1 file', other: '# files' };
  assert.is(english.plural(1, files), '1 file');
  assert.is(english.plural(0, files), '0 files');
  assert.is(english.plural(123_456, files), '1,23,456 files');
  assert.is(namesChange(999, 1000), '999 of 1,000 names change.');
});

test('zero is singular in Hindi, since the plural rules of the language decide this and not each text', () => {
  const hindi = grammarOf('hi-IN');
  const files = { one: '# फ़ाइल', other: '# फ़ाइलें' };
  assert.is(hindi.plural(0, files), '0 फ़ाइल');
  assert.is(hindi.plural(2, files), '2 फ़ाइलें');
});

test('Hindi verbs agree with the number of documents and files', () => {
  assert.is(requestPageTexts('hi').progress(1, 5, 1), '5 में से 1 भेजा, 1 उपलब्ध नहीं');
  assert.is(requestPageTexts('hi').progress(2, 5, 0), '5 में से 2 भेजे');
  assert.is(recipientTexts('hi').insideMore(1), '1 और है।');
});

test('a plural form that is a function keeps the `#` in a name, which is user input', () => {
  const form = { other: (count: string) => `${count} files in “Flat #4”` };
  assert.is(english.plural(3, form), '3 files in “Flat #4”');
  assert.is(saved(2, 'Notice.pdf', 'Flat #4'), '2 attachments saved to Flat #4');
  assert.is(savedBefore(1, 'Notice #12.pdf'), '“Notice #12.pdf” was saved before');
});

test('a message is split at its tags, which a translation may put in any order', () => {
  assert.equal(pieces('I accept the <terms>Terms</terms>.'), [
    { tag: null, text: 'I accept the ' },
    { tag: 'terms', text: 'Terms' },
    { tag: null, text: '.' },
  ]);
  assert.equal(pieces('<terms>शर्तें</terms> स्वीकार हैं'), [
    { tag: 'terms', text: 'शर्तें' },
    { tag: null, text: ' स्वीकार हैं' },
  ]);
});

test('the pseudo-language makes texts longer, puts accents on all vowels and leaves tags unchanged', () => {
  const text = 'I accept the <terms>Terms of Service</terms> and the <privacy>Privacy Policy</privacy>';
  const disguised = pseudo(text);
  assert.ok(disguised.length >= text.length + 20, disguised);
  assert.match(disguised, /^\[.*\]$/);
  assert.match(disguised, '<terms>Térms óf Sérvícé</terms>');
  assert.not.match(disguised.replaceAll(/<\/?\w+>/g, ''), /[aeiou]/i);
});

test('the pseudo-language changes texts in objects and arrays and the results of functions, but not numbers', () => {
  const messages = pseudo({ save: 'Save', of: (name: string) => `Of ${name}`, limit: 3, months: ['May'] });
  assert.match(messages.save, 'Sávé');
  assert.match(messages.of('Rao'), 'Óf Ráó');
  assert.is(messages.limit, 3);
  assert.match(messages.months[0]!, 'Máý');
});

test('the compiler checks that a translation has the same names, and functions with the same arguments', () => {
  const en = { save: 'Save', saved: (name: string) => `“${name}” is saved` } as const;
  const hi = { save: 'सहेजें', saved: (name: string) => `“${name}” सहेजा गया` } satisfies Messages<typeof en>;
  assert.is(hi.saved('Form 16'), '“Form 16” सहेजा गया');
  // @ts-expect-error -- a text is missing
  ({ save: 'सहेजें' }) satisfies Messages<typeof en>;
});

test('a link for named people is not called one without a password, which sounds as if anybody could open it', () => {
  const made = (isNamed: boolean, isProtected: boolean) =>
    linkMade('“Form 16”', { client: 'Meera Iyer', day: 'Dec 7, 2026', isNamed, isProtected });
  const start = 'It opens “Form 16” of Meera Iyer until Dec 7, 2026, ';
  assert.is(made(true, false), `${start}only for the people you have named.`);
  assert.is(made(true, true), `${start}only for the people you have named, with the password.`);
  assert.is(made(false, false), `${start}without a password.`);
});

test.run();
