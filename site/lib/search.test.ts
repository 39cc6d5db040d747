import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Results } from './search.ts';
import { NO_RESULTS, matchSegments, highlightHref, narrowResults } from './search.ts';

const test = suite('search in the top bar');
const marked = (text: string, query: string) =>
  matchSegments(text, query)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join('');

test('each word is marked wherever it stands, whatever its case or accents', () => {
  assert.is(marked('Form 16 - Résumé.pdf', 'resume FORM'), '[Form] 16 - [Résumé].pdf');
  assert.is(marked('aaa', 'aa'), '[aaa]');
});

test('a name in Devanagari is marked without breaking it', () => {
  assert.is(marked('शर्मा ट्रेडर्स', 'शर्मा').replaceAll(/[[\]]/g, ''), 'शर्मा ट्रेडर्स');
});

test('signs that mean something elsewhere are plain letters here', () => {
  assert.is(marked('50% (net).xlsx', '50% ('), '[50%] [(]net).xlsx');
});

test('a result leads to its folder, with itself marked', () => {
  assert.is(highlightHref({ id: 9, parent_id: null }), '/dashboard?highlight=9');
  assert.is(highlightHref({ id: 9, parent_id: 4 }), '/dashboard/folder/4?highlight=9');
});

test('until the answer comes, of the one before only names stay in which the new text stands, so none is false', () => {
  const before = {
    ...NO_RESULTS,
    items: [{ name: 'Sharma Traders' }, { name: 'Letter to Sharma.pdf' }],
    total: 40,
    clients: [{ name: 'Sharma' }, { name: 'Sharma Traders' }],
    inside: [{ item: { name: 'Ledger.pdf' } }],
    moreInside: true,
  } as unknown as Results;
  const { items, total, clients, inside, moreInside } = narrowResults(before, ' sharma TR');
  assert.equal([items.map(({ name }) => name), total], [['Sharma Traders'], 1]);
  assert.equal(
    clients.map(({ name }) => name),
    ['Sharma Traders'],
  );
  assert.equal([inside, moreInside], [[], false], 'what a document says is not known here');
});

test.run();
