import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createQuestionQueue } from './questionQueue.ts';

const test = suite('the queue of questions to the user');

test('a second question waits for the first, and both are answered, so that no dropped files are lost', async () => {
  const { $current: $asked, ask } = createQuestionQueue<string, string>();
  const first = ask('first');
  const second = ask('second');
  assert.is($asked.get()?.question, 'first');
  $asked.get()?.answer('yes');
  assert.is($asked.get()?.question, 'second');
  $asked.get()?.answer('no');
  assert.is($asked.get(), null);
  assert.equal([await first, await second], ['yes', 'no']);
});

test('each question has its own id, and a second click on a button does not answer the next question', async () => {
  const { $current: $asked, ask } = createQuestionQueue<string, number>();
  const first = ask('first');
  void ask('second');
  const shown = $asked.get()!;
  shown.answer(1);
  shown.answer(2);
  assert.is(await first, 1);
  assert.is($asked.get()?.question, 'second');
  assert.is.not($asked.get()?.id, shown.id);
});

test.run();
