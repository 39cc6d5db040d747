import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, MINUTE, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { bearer, Visitor } from '../testing/visitor.ts';

const test = suite<{ front: HttpWorld }>('sign-in');
const proxied = { baseUrl: 'http://vault.test', trustProxy: ['127.0.0.1/32'] };
const right = { email: ASHA.email, password: ASHA.password };
const wrong = { email: ASHA.email, password: 'not the password' };

test.before.each(async (world) => {
  world.front = await openHttpWorld({ limits: true, config: proxied });
  await world.front.asha();
});
test.after.each(({ front }) => front.close());

const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
const signIn = async (front: HttpWorld, body: unknown, ip = '192.0.2.1') =>
  (await front.visitor()).post('/api/auth/login', body, from(ip));

test('the right password signs in, whatever the case of the e-mail address', async ({ front }) => {
  const { status, json } = await signIn(front, { ...right, email: ' ASHA@Rao.in ' });
  assert.is(status, 200);
  assert.is(json.success, true);
  assert.is(json.data.user.name, 'Asha Rao');
  assert.is(json.message, 'Successfully signed in as Asha Rao');
  const { status: known } = await new Visitor(front.base).get('/api/auth/user', {
    headers: bearer(json.data.token),
  });
  assert.is(known, 200);
});

test('an unknown address and a wrong password get the same response, also for a deactivated user, so that accounts are not revealed', async ({
  front,
}) => {
  const unknown = await signIn(front, { ...right, email: 'nobody@rao.in' });
  const mistaken = await signIn(front, wrong);
  await front.db('users').update({ deactivated_at: '2026-11-20T00:00:00.000Z' });
  const disabled = await signIn(front, wrong);
  for (const { status, json, headers } of [unknown, mistaken, disabled]) {
    assert.is(status, 401);
    const { request_id: _, ...rest } = json;
    assert.equal(rest, {
      success: false,
      message: 'Invalid email or password.',
      code: 'invalid_credentials',
    });
    assert.equal(headers.getSetCookie(), []);
  }
});

test('a deactivated user learns so from the right password, and whom to ask, since the password seems to be wrong otherwise', async ({
  front,
}) => {
  const { firm_id, id: _, ...row } = await front.db('users').first();
  await front.db('users').insert({ ...row, firm_id, email: 'ravi@rao.in', name: 'Ravi Rao' });
  await front.db('users').where({ email: ASHA.email }).update({
    deactivated_at: '2026-11-20T00:00:00.000Z',
    work_hours: '{"days":[],"from":"01:00","to":"02:00"}',
  });
  const { status, json, headers } = await signIn(front, right);
  assert.is(status, 403);
  assert.is(json.code, 'deactivated');
  assert.is(
    json.message,
    `Your account at ${ASHA.firm_name} was deactivated. If you still need it, ask Ravi Rao to reactivate it.`,
  );
  assert.equal(headers.getSetCookie(), []);
  const { did, detail } = await front.db('audit_events').orderBy('id', 'desc').first();
  assert.equal([did, JSON.parse(detail).code], ['auth.sign_in_barred', 'deactivated']);
});

test('empty sign-in fields are reported per field', async ({ front }) => {
  const { status, json } = await signIn(front, {});
  assert.is(status, 422);
  assert.equal(json.errors, { email: ['Email is required'], password: ['Password is required'] });
});

test('sign-in accepts a form post as well as JSON', async ({ front }) => {
  const visitor = await front.visitor();
  const { status } = await visitor.post('/api/auth/login', new URLSearchParams(right).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.is(status, 200);
});

test('a password of nearly 1 MB is refused with 422 without being hashed', async ({ front }) => {
  const { status, json } = await signIn(front, { ...right, password: 'x'.repeat(1_000_000) });
  assert.is(status, 422);
  assert.equal(json.errors, { password: ['Password must be at most 1024 characters'] });
  assert.equal(await front.db('attempts').where('key', 'like', 'sign_in%'), []);
});

test('after 10 wrong passwords for one account an address is refused with 429 and the time to wait', async ({
  front,
}) => {
  for (let i = 0; i < 10; i += 1) assert.is((await signIn(front, wrong)).status, 401);
  const { status, headers, json } = await signIn(front, right);
  assert.is(status, 429);
  assert.is(headers.get('retry-after'), '900');
  assert.is(json.message, 'Too many attempts. Please wait 15 minutes and try again.');
  assert.is(json.code, 'too_many_requests');
  assert.is((await signIn(front, right, '192.0.2.2')).status, 200, 'the owner elsewhere is not locked out');
  front.advance(15 * MINUTE);
  assert.is((await signIn(front, right)).status, 200);
});

test('a successful sign-in clears the failed attempts before it, since honest users mistype too', async ({
  front,
}) => {
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 9; i += 1) await signIn(front, wrong);
    assert.is((await signIn(front, right)).status, 200);
  }
});

test('guessing one account from many addresses is limited too, except at an address where its owner has signed in', async ({
  front,
}) => {
  assert.is((await signIn(front, right, '198.51.100.1')).status, 200);
  for (let i = 0; i < 50; i += 1) await signIn(front, wrong, `203.0.113.${i}`);
  assert.is((await signIn(front, wrong, '203.0.113.99')).status, 429);
  assert.is((await signIn(front, right, '203.0.113.98')).status, 429);
  assert.is((await signIn(front, right, '198.51.100.1')).status, 200);
});

test('an unknown e-mail address has the same limit, since otherwise the limit would reveal which accounts exist', async ({
  front,
}) => {
  const nobody = { ...wrong, email: 'nobody@rao.in' };
  for (let i = 0; i < 10; i += 1) assert.is((await signIn(front, nobody)).status, 401);
  assert.is((await signIn(front, nobody)).status, 429);
});

test('guessing many accounts from one IPv6 /64 network is refused with 429 after 100 attempts, whatever the address in it', async ({
  front,
}) => {
  for (let i = 0; i < 100; i += 1) {
    await signIn(front, { email: `person${i}@rao.in`, password: 'Password1' }, `2001:db8:0:1::${i + 1}`);
  }
  assert.is(
    (await signIn(front, { email: 'other@rao.in', password: 'x' }, '2001:db8:0:1:ffff::1')).status,
    429,
  );
  assert.is((await signIn(front, right, '2001:db8:0:2::1')).status, 200);
});

test('simultaneous attempts cannot exceed the limit', async ({ front }) => {
  const all = await Promise.all(Array.from({ length: 30 }, () => signIn(front, wrong)));
  assert.is(all.filter(({ status }) => status === 401).length, 10);
  assert.is(all.filter(({ status }) => status === 429).length, 20);
});

test('after 100 invalid tokens from an address further ones are refused with 429, and a valid token still works', async ({
  front,
}) => {
  const { json } = await signIn(front, right);
  const stranger = new Visitor(front.base);
  const ask = (token: string) => stranger.get('/api/auth/user', { headers: bearer(token) });
  for (let i = 0; i < 100; i += 1) assert.is((await ask(`guess-${i}`)).status, 401);
  assert.is((await ask('guess')).status, 429);
  assert.is((await ask(json.data.token)).status, 200);
});

test('every sign-in, also a refused one, is recorded in the history, without what was typed as password or address', async ({
  front,
}) => {
  await signIn(front, wrong);
  await signIn(front, right);
  await signIn(front, { ...wrong, email: 'my-password-typed-here@x.in' });
  const rows = await front.db('audit_events').orderBy('id').select('did', 'user_id', 'ip', 'request_id');
  assert.equal(
    rows.map(({ did, user_id, ip }) => [did, user_id, ip]),
    [
      ['auth.register', 1, '127.0.0.1'],
      ['auth.sign_in_refused', 1, '192.0.2.1'],
      ['auth.sign_in', 1, '192.0.2.1'],
      ['auth.sign_in_refused', null, '192.0.2.1'],
    ],
  );
  assert.ok(rows.every((row) => /^[0-9a-f-]{36}$/.test(row.request_id)));
  assert.not.ok(JSON.stringify(await front.db('audit_events')).includes('my-password'));
});

test.run();
