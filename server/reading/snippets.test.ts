import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseQuery } from './query.ts';
import { snippetOf } from './snippets.ts';

const shown = (query: string, texts: readonly string[], prefixes = false) => {
  const pages = texts.map((text, index) => ({ page: index + 1, label: '', text }));
  const found = snippetOf({ kind: 'page', pages }, parseQuery(query), { prefixes });
  const line = found?.line.map(({ text, marked }) => (marked ? `[${text}]` : text)).join('');
  return found && `${found.page}: ${line}`;
};

test('words are marked at their position on any line, also after characters that case folding makes longer', () => {
  const text = 'ﬁrst ofﬁce İstanbul\nnothing here\nRent of the OFFICE, paid in April';
  assert.is(shown('office april', [text]), '1: Rent of the [OFFICE], paid in [April]');
  assert.is(shown('rent ofﬁce', [text]), '1: [Rent] of the [OFFICE], paid in April');
});

test('the snippet is from the page with the most matched words, and a document that lacks one of the words has no snippet', () => {
  const pages = ['rent alone', 'rent and deposit', 'deposit'];
  assert.is(shown('rent deposit', pages), '2: [rent] and [deposit]');
  assert.is(shown('rent alone deposit', pages), '1: [rent] [alone]');
  assert.is(shown('rent lease', pages), null);
  assert.is(shown('depo', pages), null, 'it only begins so');
  assert.is(shown('depo', pages, true), '2: rent and [deposit]');
  assert.is(shown('posit', pages, true), null, 'it stands within a word');
});

test('a phrase that continues on the next line is found', () => {
  assert.is(shown('"audit fees"', ['fees\nstatutory audit\nfees paid']), '1: statutory [audit fees]');
});

test.run();
