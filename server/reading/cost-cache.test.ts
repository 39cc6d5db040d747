import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createProbed, NONE } from './cost-cache.ts';

/** With a clock that a test moves on. */
function probed() {
  let time = 0;
  const made = createProbed(() => time);
  return {
    ...made,
    pass: (ms: number) => void (time += ms),
    /** A look that takes so long. */
    look(took: number, newest: number, first: number | undefined) {
      const began = time;
      time += took;
      made.note(1, { began, newest, first });
    },
  };
}

test('what took long to learn need not be learned before every file, for fifty times as long', () => {
  const { look, of, pass } = probed();
  look(50, 10_000, 40);
  assert.equal(of(1), { from: 41, to: 10_000 });
  assert.equal(of(2), NONE, 'another firm has files of its own');
  pass(2499);
  assert.equal(of(1), { from: 41, to: 10_000 });
  pass(1);
  assert.equal(of(1), NONE, 'what came back from Trash is to be found');
});

test('what is learned at once is asked each time, so that nothing waits without need', () => {
  const { look, of } = probed();
  look(2, 10_000, undefined);
  assert.equal(of(1), NONE);
});

test('looks that skip what is known add to it, and make it hold no longer', () => {
  const { look, of, pass } = probed();
  look(50, 10_000, 40);
  look(1, 10_000, 30);
  assert.equal(of(1), { from: 31, to: 10_000 });
  look(1, 10_001, 10_001);
  assert.equal(of(1), { from: 31, to: 10_000 }, 'a file that is new is not among them');
  look(1, 10_001, undefined);
  assert.equal(of(1), { from: 1, to: 10_001 });
  pass(2500);
  assert.equal(of(1), NONE);
});

test('a file that is to be read again is looked for at once', () => {
  const { look, of, forget } = probed();
  look(50, 10_000, undefined);
  forget(1);
  assert.equal(of(1), NONE);
});

test.run();
