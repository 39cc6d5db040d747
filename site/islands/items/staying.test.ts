import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { deletionText, withStaying } from './staying.ts';

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

test('a deletion promises no end in Trash for what a legal hold keeps there', () => {
  const bodyOf = (types: readonly ('file' | 'folder')[], heldCount: number) => {
    const preview = { ...some(0, ''), held: some(heldCount, 'It is not deleted forever.') };
    const items = types.map((type) => ({ type }));
    return withStaying({ ...question, body: deletionText(items, 30, preview) }, items.length, preview).body!;
  };
  assert.is(bodyOf(['file'], 1), 'It goes to Trash. It is not deleted forever.');
  assert.match(bodyOf(['folder'], 1), 'They go to Trash. It is not deleted');
  assert.not.match(bodyOf(['file', 'file'], 2), '30 days');
  assert.match(
    bodyOf(['file', 'file'], 1),
    '30 days. 1 of 2 is under a legal hold and stays in Trash longer',
  );
});

test.run();
