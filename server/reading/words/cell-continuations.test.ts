import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { unpackText } from '../stored-text.ts';
import { indexText } from '../readers/index-text.ts';
import { snippetOf } from '../snippets.ts';
import { cellContinuations, continuationPairs } from './cell-continuations.ts';

const TEXT = [
  '07/04/2026 NEFT DR CHITRA 12,000.00',
  'VORA RENT FOR APRIL',
  '08/04/2026 CASH DEPOSIT 900.00',
].join('\n');
const LEFTS = [
  [300, 1000, 1220, 1370, 4800],
  [1000, 1250, 1500, 1690],
  [300, 1000, 1250, 4900],
];
const boxes = TEXT.split('\n').flatMap((line, row) =>
  line.split(' ').flatMap((word, index) => {
    const left = LEFTS[row]![index]!;
    const next = LEFTS[row]![index + 1] ?? Infinity;
    return [left, 500 + row * 130, Math.min(word.length * 45, next - left - 40), 95];
  }),
);
const sure = TEXT.split(/\s+/).map(() => 97);

test('in a scan, a phrase that continues in the next line of a table cell is found, and marked in both lines', () => {
  const across = cellContinuations(TEXT, boxes);
  assert.ok(
    continuationPairs(across).some(
      ([from, to, then, end]) =>
        TEXT.slice(from, to).endsWith('CHITRA') && TEXT.slice(then, end).startsWith('VORA'),
    ),
  );
  const made = indexText({
    kind: 'page',
    pages: [{ page: 1, label: '', text: TEXT, boxes, sure }],
    count: 1,
    cut: null,
  });
  const terms = made.terms.split('\n');
  const sequence = Array.from(made.sequence, (place) => terms[place]).join(' ');
  assert.match(sequence, / chitra vora rent /);
  const kept = unpackText(Buffer.from(made.packed));
  const phrase = (words: string) => [{ kind: 'phrase' as const, terms: words.split(' ') }];
  const found = snippetOf(kept, phrase('dr chitra vora'), { prefixes: false });
  assert.equal(found?.words, ['DR CHITRA', 'VORA']);
  assert.is(snippetOf(kept, phrase('chitra rent'), { prefixes: false }), null);
});

test('no cell continuations are added to the index of a page that is not a scan, since its text is already in reading order', () => {
  const made = indexText({
    kind: 'page',
    pages: [{ page: 1, label: '', text: TEXT, boxes }],
    count: 1,
    cut: null,
  });
  assert.is(made.sequence.length, 17);
});

test.run();
