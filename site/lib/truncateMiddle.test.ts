import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { splitMiddle, truncateMiddle } from './truncateMiddle.ts';

test('a name is cut between letters, or its tail would start with a loose vowel sign', () => {
  const name = `${'किराया अनुबंध '.repeat(4)}पुरानी इमारत के किराया.pdf`;
  const letters = (text: string) =>
    Array.from(new Intl.Segmenter('und').segment(text), ({ segment }) => segment);
  const [head = '', tail = ''] = truncateMiddle(name).split('…');
  assert.equal([letters(head).length, letters(tail).length], [35, 12]);
  assert.equal(
    [...letters(head), ...letters(tail)],
    [...letters(name).slice(0, 35), ...letters(name).slice(-12)],
  );
  for (const cut of [tail, splitMiddle(name)[1]]) assert.not.match(cut, /^\p{M}/u);
});

test('a short name stays whole, and an ASCII name keeps its ending', () => {
  assert.is(truncateMiddle('Form 16.pdf'), 'Form 16.pdf');
  assert.is(truncateMiddle(`${'a'.repeat(60)}.pdf`), `${'a'.repeat(35)}…${'a'.repeat(8)}.pdf`);
  assert.equal(splitMiddle('Form 16 Sharma 2023.pdf'), ['Form 16 Shar', 'ma 2023.pdf']);
  assert.equal(
    splitMiddle('TB FY 2025-26 final.xlsx'),
    ['TB FY 2025-26 ', 'final.xlsx'],
    'no hole after the dots',
  );
});

test.run();
