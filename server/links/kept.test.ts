import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { testActor } from '../testing/actor.ts';
import { createKept } from './kept.ts';
import { createLinks } from './links.ts';

const DAY = 24 * 60 * 60_000;
const test = suite('links kept in memory');

const user = (userId: number, sessionId = userId): Actor => testActor({ userId, sessionId });
const keeping = (clock = () => new Date()) => {
  const actorOfSession = async (sessionId: number) => user(1, sessionId);
  return createKept<number>({
    clock,
    links: createLinks({ secret: randomBytes(32), clock, actorOfSession }),
  });
};
const good = async ({ take }: ReturnType<typeof keeping>, token: string) =>
  take(token).then(
    () => true,
    () => false,
  );

test('one user’s are bounded, over all sessions, so that a script cannot take the server’s memory', async () => {
  const kept = keeping();
  const other = await kept.keep(user(2), 0);
  const tokens = await Promise.all(Array.from({ length: 60 }, (_, n) => kept.keep(user(1, n % 2), n)));
  assert.is(await good(kept, tokens[9]!), false, 'the oldest went');
  assert.is(await good(kept, tokens[10]!), true);
  assert.is(await good(kept, tokens[59]!), true);
  assert.is(await good(kept, other), true, 'and nobody else’s');
});

test('all of them are bounded, however many users there are', async () => {
  const kept = keeping();
  const tokens = await Promise.all(Array.from({ length: 1005 }, (_, n) => kept.keep(user(n), n)));
  assert.is(await good(kept, tokens[4]!), false);
  assert.is(await good(kept, tokens[5]!), true);
});

test('a clock that is set back keeps none for longer than its time, nor one behind it', async () => {
  let now = 10 * DAY;
  const kept = keeping(() => new Date(now));
  const before = await kept.keep(user(1), 1);
  now -= 2 * DAY;
  const after = await kept.keep(user(1), 2);
  assert.is(await good(kept, before), false);
  assert.is(await good(kept, after), true);
  now += 5 * 60_000;
  assert.is(await good(kept, after), false);
});

test.run();
