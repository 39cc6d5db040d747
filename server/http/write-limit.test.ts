import { Router } from '@koa/router';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { Visitor, bearer } from '../testing/visitor.ts';
import { freshWorld } from '../testing/world.ts';

const test = suite<{ front: HttpWorld; done: string[]; now: { value: number } }>(
  'changes of one user a minute',
);
test.before.each(async (world) => {
  const now = { value: 5000 };
  const done: string[] = [];
  const routes = new Router();
  routes.all('/api/things/:what', (ctx) => {
    done.push(String(ctx.params.what));
    ctx.body = { success: true };
  });
  const limits = { changes: 3, bulk: 5, isBulk: (path: string) => path === '/api/things/upload' };
  const writes = { limits, now: () => now.value };
  Object.assign(world, { now, done, front: await openHttpWorld({ routes: [routes], writes }) });
});
test.after.each(({ front }) => front.close());

/** A signed-in user who calls by token. */
async function somebody(front: HttpWorld, email: string) {
  const visitor = await front.visitor();
  const { json } = await visitor.post('/api/auth/register', { ...ASHA, email });
  const headers = bearer(json.data.token as string);
  return (method: string, what: string) => visitor.call(method, `/api/things/${what}`, { headers });
}

test('the allowed number of changes passes, and the next is refused without effect and with the time to wait', async (world) => {
  const asha = await somebody(world.front, 'asha@rao.in');
  for (let n = 0; n < 3; n += 1) assert.is((await asha('POST', 'rename')).status, 200);
  world.now.value += 20_500;
  const { status, json, headers } = await asha('DELETE', 'rename');
  assert.is(status, 429);
  assert.is(headers.get('retry-after'), '40');
  assert.is(json.code, 'too_many_requests');
  assert.is(
    json.message,
    'Your account has made more than 3 changes within a minute, so this one was not made. ' +
      'Wait 40 seconds, then try again.',
  );
  assert.is(world.done.length, 3);
  world.now.value += 40_000;
  assert.is((await asha('DELETE', 'rename')).status, 200, 'the minute is over');
});

test('reading and other users are not limited, and the limit is logged once', async ({ front }) => {
  const asha = await somebody(front, 'asha@rao.in');
  for (let n = 0; n < 6; n += 1) await asha('PATCH', 'rename');
  assert.is((await asha('PATCH', 'rename')).status, 429);
  assert.is((await asha('GET', 'rename')).status, 200);
  const ravi = await somebody(front, 'ravi@rao.in');
  assert.is((await ravi('PATCH', 'rename')).status, 200);
  assert.is(front.logged.filter((line) => line.includes('more changes a minute')).length, 1);
});

test('uploads are counted separately, so that a large upload does not block other changes', async ({
  front,
}) => {
  const asha = await somebody(front, 'asha@rao.in');
  for (let n = 0; n < 5; n += 1) assert.is((await asha('POST', 'upload')).status, 200);
  assert.is((await asha('POST', 'upload')).status, 429);
  assert.is((await asha('POST', 'rename')).status, 200);
});

test('the whole server allows 1,200 changes, large uploads continue, and ABUSE_LIMITS=off disables the limit', async () => {
  for (const abuseLimits of [true, false]) {
    const world = await freshWorld({ abuseLimits });
    const { token } = await world.build.account();
    const visitor = new Visitor(await world.serve());
    const call = (method: string, path: string, body: unknown) =>
      visitor.call(method, `/api/documents${path}`, { headers: bearer(token), body });
    const statuses = new Map<number, number>();
    for (let n = 0; n < 1250; n += 50) {
      for (const { status } of await Promise.all(
        Array.from({ length: 50 }, () => call('POST', '/nowhere/at/all', {})),
      ))
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.equal(Object.fromEntries(statuses), abuseLimits ? { 404: 1200, 429: 50 } : { 404: 1250 });
    assert.is((await call('POST', '/folder', { name: 'GST', parent_id: null, client_id: null })).status, 201);
    assert.is((await call('POST', '/compare', { parent_id: null, files: [] })).status, 200);
    await world.close();
  }
});

test.run();
