import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { testActor } from '../testing/actor.ts';
import { createLinkPayloads } from './link-payloads.ts';
import { createLinks } from './links.ts';

const DAY = 24 * 60 * 60_000;
const test = suite('payloads of links, stored in memory');

const user = (userId: number, sessionId = userId): Actor => testActor({ userId, sessionId });
const createPayloads = (clock = () => new Date()) => {
  const actorOfSession = async (sessionId: number) => user(1, sessionId);
  return createLinkPayloads<number>({
    clock,
    links: createLinks({ secret: randomBytes(32), clock, actorOfSession }),
  });
};
const good = async ({ load }: ReturnType<typeof createPayloads>, token: string) =>
  load(token).then(
    () => true,
    () => false,
  );

test('the payloads of one user are limited over all sessions, so that a script cannot fill the memory of the server', async () => {
  const payloads = createPayloads();
  const other = await payloads.store(user(2), 0);
  const tokens = await Promise.all(Array.from({ length: 60 }, (_, n) => payloads.store(user(1, n % 2), n)));
  assert.is(await good(payloads, tokens[9]!), false, 'the oldest went');
  assert.is(await good(payloads, tokens[10]!), true);
  assert.is(await good(payloads, tokens[59]!), true);
  assert.is(await good(payloads, other), true, 'and nobody else’s');
});

test('the total number of payloads is limited, however many users there are', async () => {
  const payloads = createPayloads();
  const tokens = await Promise.all(Array.from({ length: 1005 }, (_, n) => payloads.store(user(n), n)));
  assert.is(await good(payloads, tokens[4]!), false);
  assert.is(await good(payloads, tokens[5]!), true);
});

test('when the clock is set back, earlier payloads are removed, and later ones still expire after five minutes', async () => {
  let now = 10 * DAY;
  const payloads = createPayloads(() => new Date(now));
  const before = await payloads.store(user(1), 1);
  now -= 2 * DAY;
  const after = await payloads.store(user(1), 2);
  assert.is(await good(payloads, before), false);
  assert.is(await good(payloads, after), true);
  now += 5 * 60_000;
  assert.is(await good(payloads, after), false);
});

test.run();
