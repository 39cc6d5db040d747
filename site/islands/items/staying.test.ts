import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withStaying } from './staying.ts';

const question = { title: 'Delete 20 items?', body: 'They stay in Trash for 30 days.', action: 'Delete' };
const some = (count: number, of: string) => ({
  count,
  named: Array.from({ length: count }, (_, n) => ({ id: n, name: `${of} ${n}`, message: of })),
});

test('as many items are named as the question says, also where some stay and others are held', () => {
  const { body, except } = withStaying(question, 20, { ...some(4, 'sealed'), held: some(3, 'held') });
  assert.match(body!, /4 of 20 stay where they are\. 3 of 20 are under a legal hold .*The first 5:$/);
  assert.is(except?.length, 5);
  const few = withStaying(question, 20, { ...some(2, 'sealed'), held: some(3, 'held') });
  assert.not.match(few.body!, 'The first');
  assert.is(few.except?.length, 5);
});

test.run();
