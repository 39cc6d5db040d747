import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TextHit } from '#server/reading/contract.ts';
import { hitHref } from './reading.ts';

const test = suite('matches inside documents');

test('a word found in both upper and lower case is in the link once', () => {
  const item = { id: 9, parent_id: 5 } as TextHit['item'];
  const hit = { item, page: 2, words: ['Income', 'income', 'total'] } as unknown as TextHit;
  assert.is(hitHref(hit), '/dashboard/folder/5?preview=9&page=2&find=income&find=total');
});

test.run();
