import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyQuestion } from './emptyQuestion.ts';

test('the question before Trash is emptied counts what is deleted, without what a legal hold keeps', () => {
  const named = [{ id: 1, name: 'held.pdf', message: 'There is a legal hold.' }];
  const staying = { count: 1, named, held: { count: 0, named: [] }, bytes: 1024 };
  const question = emptyQuestion({ items: 2, bytes: 3 * 1024 }, staying);
  assert.is(
    question.body,
    '1 item (2 KB) is deleted forever. This action cannot be undone. 1 of 2 stays where it is.',
  );
});

test.run();
