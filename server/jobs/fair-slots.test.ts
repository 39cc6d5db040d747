import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFairSlots } from './fair-slots.ts';

const order = (
  slots: ReturnType<typeof createFairSlots>,
  waiting: { id: number; firm_id: number | null }[],
) => {
  const begun: number[] = [];
  for (let one = slots.next(waiting); one; one = slots.next(waiting)) {
    begun.push(one.id);
    slots.acquire(one);
    waiting = waiting.filter(({ id }) => id !== one!.id);
  }
  return begun;
};

test('firms take turns, and jobs of one firm run in order', () => {
  const waiting = [
    { id: 1, firm_id: 1 },
    { id: 2, firm_id: 1 },
    { id: 3, firm_id: 1 },
    { id: 4, firm_id: 2 },
    { id: 5, firm_id: null },
    { id: 6, firm_id: 2 },
  ];
  assert.equal(order(createFairSlots({ slots: 9, perFirm: 9 }), waiting), [1, 4, 5, 2, 6, 3]);
});

test('with a single slot the firm served least recently is next, so that many small jobs of one firm cannot block another', () => {
  const slots = createFairSlots({ slots: 1, perFirm: 1 });
  const [a, b] = [
    { id: 1, firm_id: 1 },
    { id: 9, firm_id: 2 },
  ];
  slots.acquire(a);
  assert.is(slots.next([{ id: 2, firm_id: 1 }, b]), undefined);
  slots.release(a);
  assert.is(slots.next([{ id: 2, firm_id: 1 }, b]), b);
});

test('without slots nothing starts', () => {
  assert.is(createFairSlots({ slots: 0, perFirm: 1 }).next([{ id: 1, firm_id: 1 }]), undefined);
});

test.run();
