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

/** A bank statement of so many pages, with one more line on some of them. */
const statement = (pages: number, more: Record<number, string> = {}): string[] =>
  Array.from({ length: pages }, (_, index) =>
    [
      ...Array.from(
        { length: 30 },
        (__, nth) =>
          `${10 + nth}/06/2025 UPI-SHREE STORES-${index}${nth}@okbank 1,${100 + nth}.50 9,87,654.00`,
      ),
      more[index + 1] ?? '',
    ].join('\n'),
  );

test('an amount late in a very long statement is shown from its own page, however often the other words occur before', () => {
  const pages = statement(400, { 381: '05/03/2026 RTGS VIKRAM PUMPS 7,07,255.00 2,00,000.00' });
  assert.ok(pages.join('').length > 700_000);
  const line = '[RTGS] VIKRAM PUMPS [7,07,255.00]';
  for (const query of ['707255', '7,07,255.00', '"pumps 7,07,255"'])
    assert.match(shown(query, pages)!, /^381: 05\/03\/2026 RTGS .*\[.*7,07,255\.00\]/, query);
  assert.is(shown('rtgs 707255', pages), `381: 05/03/2026 ${line} 2,00,000.00`);
  assert.match(shown('upi 707255', pages)!, /^381: /);
  assert.match(shown('shree vikram', pages)!, /^381: /);
  assert.is(shown('707256', pages), null);
});

test('a very long text that is not searched to its end is still a hit, since the index knows that it matches', () => {
  const pages = statement(500, { 490: 'Deposit renewed on 7 April 2031' });
  assert.match(shown('07-04-2031', pages)!, /^1: 10\/06\/2025 UPI/);
  assert.is(shown('07-04-2031', pages, true), null, 'of prefixes the index knows less');
});

test.run();
