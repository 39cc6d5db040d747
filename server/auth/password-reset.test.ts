import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, MINUTE, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { bearer, Visitor } from '../testing/visitor.ts';
import { dumpDatabase } from '../testing/dump-database.ts';

const test = suite<{ front: HttpWorld }>('a forgotten password');
const proxied = { baseUrl: 'http://vault.test', trustProxy: ['127.0.0.1/32'] };
const NEW = { password: 'a brand new phrase', password_confirmation: 'a brand new phrase' };

test.before.each(async (world) => {
  world.front = await openHttpWorld({ limits: true, config: proxied });
});
test.after.each(({ front }) => front.close());

const forgot = async (front: HttpWorld, email: string, headers: Record<string, string> = {}) =>
  (await front.visitor()).post('/api/auth/forgot-password', { email }, { headers });
const redeem = async (front: HttpWorld, token: string, fields: object = NEW, ip = '192.0.2.9') =>
  (await front.visitor()).post(
    '/api/auth/reset-password',
    { token, ...fields },
    { headers: { 'x-forwarded-for': ip } },
  );
const signIn = async (front: HttpWorld, password: string, ip = '192.0.2.1') =>
  (await front.visitor()).post(
    '/api/auth/login',
    { email: ASHA.email, password },
    { headers: { 'x-forwarded-for': ip } },
  );

const linkIn = (text: string) => /https?:\/\/\S+\/reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? '';
async function token(front: HttpWorld): Promise<string> {
  await forgot(front, ASHA.email);
  return linkIn((await front.deliverMail()).findLast(({ kind }) => kind === 'auth.reset')?.text ?? '');
}

test('a reset link sets a new password once, ends all sessions, and informs the user by e-mail', async ({
  front,
}) => {
  const asha = await front.asha();
  const link = await token(front);
  const { status, json } = await redeem(front, link);
  assert.is(status, 200);
  assert.is(json.message, 'Your password has been set. Sign in with it now.');
  assert.is(
    (await new Visitor(front.base).get('/api/auth/user', { headers: bearer(asha.token) })).status,
    401,
  );
  assert.is((await asha.get('/api/auth/user')).status, 401, 'the cookie too');
  assert.is((await signIn(front, ASHA.password)).status, 401);
  assert.is((await signIn(front, NEW.password)).status, 200);
  const emails = await front.deliverMail();
  assert.equal(
    emails.map(({ kind }) => kind),
    ['auth.welcome', 'auth.reset', 'auth.password_changed', 'auth.new_device'],
  );
  const again = await redeem(front, link);
  assert.is(again.status, 422);
  assert.is(again.json.code, 'reset_over');
});

test('a server that sends no e-mail promises none, and says where the link is, for every address alike', async () => {
  const transport = { sends: false, means: '', deliver: async () => {}, close: () => {} };
  const front = await openHttpWorld({ transport });
  try {
    await front.asha();
    const [known, unknown] = [await forgot(front, ASHA.email), await forgot(front, 'nobody@rao.in')];
    assert.match(known.json.message, /^This server sends no e-mail/);
    assert.equal(unknown.json, known.json);
  } finally {
    await front.close();
  }
});

test('a known, an unknown and a disabled account get the same response, and only the first gets an e-mail', async ({
  front,
}) => {
  await front.asha();
  const known = await forgot(front, ASHA.email);
  const unknown = await forgot(front, 'nobody@rao.in');
  await front.db('users').update({ deactivated_at: '2026-11-20T00:00:00.000Z' });
  const disabled = await forgot(front, ' ASHA@rao.in ');
  for (const { status, json, headers } of [known, unknown, disabled]) {
    assert.is(status, 200);
    assert.equal(json, known.json);
    assert.equal(headers.getSetCookie(), []);
  }
  assert.is((await front.deliverMail()).filter(({ kind }) => kind === 'auth.reset').length, 1);
});

test('a reset link is built from BASE_URL, whatever the Host header of the request', async ({ front }) => {
  await front.asha();
  await forgot(front, ASHA.email, { 'x-forwarded-host': 'evil.example', host: 'evil.example' });
  const { text, html } = (await front.deliverMail()).at(-1)!;
  assert.match(text, /^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/m);
  assert.not.match(text + html, /evil/);
});

test('a reset link expires after an hour', async ({ front }) => {
  await front.asha();
  const link = await token(front);
  front.advance(60 * MINUTE);
  assert.is((await redeem(front, link)).json.code, 'reset_over');
});

test('only the newest of two reset links works', async ({ front }) => {
  await front.asha();
  const older = await token(front);
  const newer = await token(front);
  assert.is((await redeem(front, older)).status, 422);
  assert.is((await redeem(front, newer)).status, 200);
});

test('a reset link ends when the password or the e-mail address is changed', async ({ front }) => {
  const asha = await front.asha();
  const first = await token(front);
  const change = { current_password: ASHA.password, ...NEW };
  await asha.post('/api/auth/change-password', change, { headers: bearer(asha.token) });
  assert.is((await redeem(front, first)).status, 422);
  const second = await token(front);
  const moved = { email: 'asha@new.in', current_password: NEW.password };
  await asha.call('PUT', '/api/auth/profile', { body: moved, headers: bearer(asha.token) });
  const email = (await front.deliverMail()).findLast(({ kind }) => kind === 'auth.confirm_email');
  const [, proof = ''] = /confirm-email\?token=([\w-]+)/.exec(email?.text ?? '') ?? [];
  await (await front.visitor()).post('/api/auth/confirm-email', { token: proof });
  assert.is((await redeem(front, second)).status, 422);
  const told = (await front.deliverMail()).filter(({ kind }) => kind === 'auth.email_changed');
  assert.equal(
    told.map(({ to }) => to.address),
    [ASHA.email],
    'the old address hears of it',
  );
});

test('of twenty simultaneous uses of one reset link, only one sets a password', async ({ front }) => {
  await front.asha();
  const link = await token(front);
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, i) => {
      const password = `password number ${i}`;
      return redeem(front, link, { password, password_confirmation: password });
    }),
  );
  assert.is(all.filter(({ status }) => status === 200).length, 1);
  const won = all.findIndex(({ status }) => status === 200);
  assert.is((await signIn(front, `password number ${won}`)).status, 200);
});

test('the new password must follow the password rules, and an invalid one does not use up the reset link', async ({
  front,
}) => {
  await front.asha();
  const link = await token(front);
  for (const [fields, errors] of [
    [{ password: 'short', password_confirmation: 'short' }, { password: ['Password must be 8+ characters'] }],
    [
      { password: 'long enough', password_confirmation: 'other' },
      { password_confirmation: ['Passwords do not match'] },
    ],
    [{}, { password: ['Password is required'], password_confirmation: ['Passwords do not match'] }],
  ] as const) {
    const { status, json } = await redeem(front, link, fields);
    assert.is(status, 422);
    assert.equal(json.errors, errors);
  }
  const hindi = 'मेरा पासवर्ड बहुत लंबा है';
  assert.is((await redeem(front, link, { password: hindi, password_confirmation: hindi })).status, 200);
  assert.is((await signIn(front, hindi.normalize('NFD'))).status, 200);
});

test('a reset token that is cut off, made up or not text is refused with 422', async ({ front }) => {
  await front.asha();
  const link = await token(front);
  for (const wrong of [link.slice(0, -1), `${link}x`, 'x'.repeat(43), '', 7, null, 'x'.repeat(5000)]) {
    assert.is((await redeem(front, wrong as string)).status, 422, String(wrong));
  }
  assert.is((await redeem(front, link)).status, 200);
});

test('after 30 guessed reset links an address is refused with 429, and a valid link still works from there', async ({
  front,
}) => {
  await front.asha();
  const link = await token(front);
  for (let i = 0; i < 30; i += 1) assert.is((await redeem(front, `wrong${i}`)).status, 422);
  const { status, headers } = await redeem(front, 'wrong31');
  assert.is(status, 429);
  assert.is(headers.get('retry-after'), '600');
  assert.is((await redeem(front, link)).status, 200);
});

test('at most five reset e-mails an hour are sent to an address, and an unknown address gets the same 429', async ({
  front,
}) => {
  await front.asha();
  for (const email of [ASHA.email, 'nobody@rao.in']) {
    for (let i = 0; i < 5; i += 1) assert.is((await forgot(front, email)).status, 200);
    assert.is((await forgot(front, email)).status, 429);
  }
  assert.is((await front.deliverMail()).filter(({ kind }) => kind === 'auth.reset').length, 5);
});

test('a password reset lets in an owner whose account is locked because of guessed passwords', async ({
  front,
}) => {
  await front.asha();
  await front.db('sessions').delete();
  for (let i = 0; i < 50; i += 1) await signIn(front, 'guess', `203.0.113.${i}`);
  assert.is((await signIn(front, ASHA.password)).status, 429);
  await redeem(front, await token(front));
  assert.is((await signIn(front, NEW.password)).status, 200);
});

test('the database contains no usable reset link', async ({ front }) => {
  await front.asha();
  await forgot(front, ASHA.email);
  const before = await dumpDatabase(front.db);
  const link = linkIn((await front.deliverMail()).at(-1)!.text);
  assert.ok(link);
  for (const copy of [before, await dumpDatabase(front.db)]) assert.not(copy.includes(link));
});

test('every step of a password reset is recorded in the history, without the link', async ({ front }) => {
  await front.asha();
  const link = await token(front);
  await forgot(front, 'nobody@rao.in');
  await redeem(front, 'made up');
  await redeem(front, link);
  const events: { did: string; detail: string }[] = await front.db('audit_events').select('did', 'detail');
  const did = events.map((event) => event.did);
  for (const verb of ['reset_asked', 'reset_asked_for_nobody', 'reset_refused', 'reset_password']) {
    assert.ok(did.includes(`auth.${verb}`), verb);
  }
  assert.not.match(JSON.stringify(events) + front.logged.join(), new RegExp(link));
});

test.run();
