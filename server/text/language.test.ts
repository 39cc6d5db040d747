import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { languageAccepted, languageOf, longDay } from './language.ts';

test('a browser gets its most preferred language of those available, or else English', () => {
  assert.is(languageAccepted('hi-IN,hi;q=0.9,en;q=0.8'), 'hi');
  assert.is(languageAccepted('en-IN,en;q=0.9,hi;q=0.8'), 'en');
  assert.is(languageAccepted('ta, en;q=0.3, hi;q=0.7'), 'hi');
  assert.is(languageAccepted('hi;q=0, ta'), 'en');
  assert.is(languageAccepted(undefined), 'en');
  assert.is(languageAccepted(';;,=,q=hi'), 'en');
});

test('the language chosen on a page takes precedence over that of the browser, if it is available', () => {
  assert.is(languageOf('hi', 'en'), 'hi');
  assert.is(languageOf('xx', 'hi'), 'hi');
  assert.is(languageOf(undefined, 'en', 'hi'), 'hi', 'the office has written in it to the client');
  assert.is(languageOf('en', 'en', 'hi'), 'en');
});

test('a date is written in each language with the digits 0 to 9, as on bills', () => {
  assert.is(longDay('2026-11-29'), '29 November 2026');
  assert.is(longDay('2026-11-29', 'hi'), '29 नवंबर 2026');
});

test.run();
