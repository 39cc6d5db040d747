import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { saveWritingLanguage, writingLanguage } from './writingLanguage.ts';

const test = suite('the language in which clients are written to');

test.before.each(() => {
  const kept = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  };
  Object.defineProperty(globalThis, 'localStorage', { value: localStorage, configurable: true });
});

test('a client is written to in the language used last for that client, and the next client in English', () => {
  saveWritingLanguage([1], 'hi');
  assert.is(writingLanguage([1]), 'hi');
  assert.is(writingLanguage([2]), 'en');
  saveWritingLanguage([1], 'en');
  assert.is(writingLanguage([1]), 'en');
});

test('several clients get their common language, and English where they differ or nobody is named', () => {
  saveWritingLanguage([1, 2], 'hi');
  assert.is(writingLanguage([1, 2]), 'hi');
  assert.is(writingLanguage([1, 2, 3]), 'en');
  assert.is(writingLanguage([]), 'en');
});

test('what cannot be read counts as nothing, since other versions may have stored it', () => {
  localStorage.setItem('writing-languages', '{"1":"hi"}');
  assert.is(writingLanguage([1]), 'en');
  localStorage.setItem('writing-languages', 'x');
  assert.is(writingLanguage([1]), 'en');
});

test.run();
