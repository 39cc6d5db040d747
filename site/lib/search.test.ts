import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Results } from './search.ts';
import { NO_RESULTS, matchSegments, highlightHref, narrowResults, partOfSegments } from './search.ts';

const test = suite('search in the top bar');
const marked = (text: string, query: string) =>
  matchSegments(text, query)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join('');

test('each word is highlighted wherever it matches, ignoring case and accents', () => {
  assert.is(marked('Form 16 - Résumé.pdf', 'resume FORM'), '[Form] 16 - [Résumé].pdf');
  assert.is(marked('aaa', 'aa'), '[aaa]');
});

test('a name in Devanagari is highlighted without splitting its characters', () => {
  assert.is(marked('शर्मा ट्रेडर्स', 'शर्मा').replaceAll(/[[\]]/g, ''), 'शर्मा ट्रेडर्स');
});

test('a match stays highlighted on both sides of the place where a long name is cut', () => {
  const segments = matchSegments('Draft letter v2', 'letter');
  assert.equal(
    [partOfSegments(segments, 0, 9), partOfSegments(segments, 9, 15)],
    [
      [
        { text: 'Draft ', hit: false },
        { text: 'let', hit: true },
      ],
      [
        { text: 'ter', hit: true },
        { text: ' v2', hit: false },
      ],
    ],
  );
});

test('characters with a meaning in regular expressions match themselves', () => {
  assert.is(marked('50% (net).xlsx', '50% ('), '[50%] [(]net).xlsx');
});

test('a result links to its folder, with the item highlighted', () => {
  assert.is(highlightHref({ id: 9, parent_id: null }), '/dashboard?highlight=9');
  assert.is(highlightHref({ id: 9, parent_id: 4 }), '/dashboard/folder/4?highlight=9');
});

test('until the response arrives, only previous results whose names contain the new query are shown', () => {
  const previous = {
    ...NO_RESULTS,
    items: [{ name: 'Sharma Traders' }, { name: 'Letter to Sharma.pdf' }],
    total: 40,
    clients: [{ name: 'Sharma' }, { name: 'Sharma Traders' }],
    inside: [{ item: { name: 'Ledger.pdf' } }],
    moreInside: true,
  } as unknown as Results;
  const { items, total, clients, inside, moreInside } = narrowResults(previous, ' sharma TR');
  assert.equal([items.map(({ name }) => name), total], [['Sharma Traders'], 1]);
  assert.equal(
    clients.map(({ name }) => name),
    ['Sharma Traders'],
  );
  assert.equal(
    [inside, moreInside],
    [[], false],
    'matches inside documents are dropped, since the browser does not have their text',
  );
});

test.run();
