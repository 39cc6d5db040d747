import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, DAY, openHttpWorld } from '#server/testing/http-world.ts';
import type { HttpWorld } from '#server/testing/http-world.ts';
import { bearer } from '#server/testing/visitor.ts';
import type { Visitor } from '#server/testing/visitor.ts';

interface Office {
  front: HttpWorld;
  asha: Visitor & { token: string };
  /** Someone else who knows the password, in a new browser. */
  thief: Visitor;
  /** The bearer token of the thief's session. */
  thiefToken: string;
  /** The token of the link in the new-device e-mail. */
  token: string;
}
const password = { current_password: ASHA.password };
const test = suite<Office>('reporting a sign-in from an unknown device');
test.before.each(async (office) => {
  office.front = await openHttpWorld();
  office.asha = await office.front.asha();
  office.front.advance(DAY);
  office.thief = await office.front.visitor();
  const signedIn = await office.thief.post('/api/auth/login', { email: ASHA.email, password: ASHA.password });
  office.thiefToken = signedIn.json.data.token;
  const email = (await office.front.deliverMail()).findLast(({ kind }) => kind === 'auth.new_device');
  office.token = /\/not-me\?token=([\w-]{43})/.exec(email?.text ?? '')?.[1] ?? '';
});
test.after.each(({ front }) => front.close());

const raise = async ({ front, token }: Office) => (await front.visitor()).post('/api/auth/not-me', { token });

test('the link in the new-device e-mail ends only that session, works once, and allows a new password to be set', async (office) => {
  const { front, asha, thief } = office;
  assert.is((await thief.get('/api/auth/user')).status, 200);
  const alarm = await front.auth.alarms.about(office.token, { ip: '192.0.2.1', userAgent: '' });
  assert.is(alarm.signed_in_at, front.now().toISOString());
  assert.is((await thief.get('/api/auth/user')).status, 200, 'looking at the page ends nothing');
  const { status, json } = await raise(office);
  assert.is(status, 200);
  assert.is((await thief.get('/api/auth/user')).status, 401);
  assert.is((await asha.get('/api/auth/user')).status, 200);
  const [again, made] = [await raise(office), 'a phrase of my own'];
  assert.equal([again.status, again.json.code], [422, 'alarm_over']);
  const known = { password: ASHA.password, password_confirmation: ASHA.password };
  const kept = await (
    await front.visitor()
  ).post('/api/auth/reset-password', { token: json.data.reset_token, ...known });
  assert.equal(kept.json.errors, { password: ['This is the password you have now. Choose another one.'] });
  const fresh = { token: json.data.reset_token, password: made, password_confirmation: made };
  assert.is((await (await front.visitor()).post('/api/auth/reset-password', fresh)).status, 200);
  assert.is((await thief.post('/api/auth/login', { email: ASHA.email, ...password })).status === 200, false);
  const did = await front.db('audit_events').pluck('did');
  assert.ok(did.includes('auth.not_me'));
});

test('ways to sign in that were added in the reported session are removed, and those the owner had before stay', async (office) => {
  const { front } = office;
  const { user_id } = await front.db('sessions').orderBy('id').first();
  const row = { user_id, read_only: false, folder_id: null };
  const before = new Date(front.now().getTime() - DAY / 2).toISOString();
  const since = front.now().toISOString();
  await front.db('app_passwords').insert([
    { ...row, name: 'Explorer', token_hash: 'a', created_at: before },
    { ...row, name: 'Of the thief', token_hash: 'b', created_at: since },
  ]);
  const key = { user_id, public_key: Buffer.from('x'), counter: 0, transports: '[]', user_handle: 'x' };
  await front.db('passkeys').insert([
    { ...key, name: 'Laptop', credential_id: 'a', backed_up: false, created_at: before },
    { ...key, name: 'Of the thief', credential_id: 'b', backed_up: false, created_at: since },
  ]);
  const sealed_secret = Buffer.from('x');
  await front
    .db('two_step')
    .insert({ user_id, sealed_secret, last_step: 0, enabled_at: since, created_at: since });
  await front.db('recovery_codes').insert([
    { user_id, code_hash: 'printed by the owner', created_at: before },
    { user_id, code_hash: 'renewed by the thief', created_at: since },
  ]);
  await office.thief.put('/api/auth/profile', { email: 'thief@evil.example', ...password });
  await front.db('pairing_codes').insert({ user_id, code_hash: 'of the thief', created_at: since });
  assert.is((await raise(office)).status, 200);
  assert.equal(await front.db('app_passwords').pluck('name'), ['Explorer']);
  assert.equal(await front.db('passkeys').pluck('name'), ['Laptop']);
  assert.equal(await front.db('recovery_codes').pluck('code_hash'), ['printed by the owner']);
  for (const table of ['two_step', 'email_changes', 'pairing_codes'])
    assert.is(await front.db(table).first(), undefined, table);
});

/** Begins a call of the thief, whose body is sent only when asked. */
async function callWithheld({ front, thiefToken }: Office, body: object) {
  const text = JSON.stringify(body);
  const headers = {
    ...bearer(thiefToken),
    'content-type': 'application/json',
    'content-length': text.length,
  };
  const call = request(`${front.base}/api/auth/profile`, { method: 'PUT', headers });
  call.flushHeaders();
  await wait(100);
  return async (): Promise<number | undefined> => {
    call.end(text);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
}

test('a change of address whose body is sent only after the report is refused, or the thief would take the account', async (office) => {
  const send = await callWithheld(office, { email: 'thief@evil.example', ...password });
  assert.is((await raise(office)).status, 200);
  assert.is(await send(), 401);
  assert.is(await office.front.db('email_changes').first(), undefined);
});

test('whoever is signed out while a slow body arrives gets 401 for any call', async (office) => {
  const send = await callWithheld(office, { name: 'Somebody Else' });
  await wait(1100);
  assert.is((await raise(office)).status, 200);
  assert.is(await send(), 401);
  assert.is((await office.front.db('users').first()).name, ASHA.name);
});

test('an e-mail tells again of the next sign-in in the reported browser, which would else be a known one', async (office) => {
  const { front, thief } = office;
  assert.is((await raise(office)).status, 200);
  const told = async () =>
    (await front.deliverMail()).filter(({ kind }) => kind === 'auth.new_device').length;
  const before = await told();
  await thief.post('/api/auth/login', { email: ASHA.email, password: ASHA.password });
  assert.is(await told(), before + 1);
});

test('the link in a new-device e-mail works for seven days, and an invalid link gets the same response as an expired one', async (office) => {
  office.front.advance(7 * DAY);
  assert.is((await raise(office)).json.code, 'alarm_over');
  assert.is((await raise({ ...office, token: 'x'.repeat(43) })).json.code, 'alarm_over');
  assert.is((await office.thief.get('/api/auth/user')).status, 200);
  assert.ok((await office.front.auth.sweep()) > 0);
  assert.is(await office.front.db('device_alarms').first(), undefined);
});

test('the link ends with a change of e-mail address, or whoever has the old mailbox could set a new password', async (office) => {
  const { front, asha } = office;
  await asha.put('/api/auth/profile', { email: 'asha@new.in', ...password });
  const email = (await front.deliverMail()).findLast(({ kind }) => kind === 'auth.confirm_email');
  const token = /confirm-email\?token=([\w-]+)/.exec(email?.text ?? '')?.[1] ?? '';
  assert.is((await (await front.visitor()).post('/api/auth/confirm-email', { token })).status, 200);
  assert.is((await raise(office)).json.code, 'alarm_over');
});

test('the link outlives a change of password, because a thief who knows the password must not disable it', async (office) => {
  const made = 'a phrase of the thief';
  const input = { ...password, password: made, password_confirmation: made };
  assert.is((await office.thief.post('/api/auth/change-password', input)).status, 200);
  assert.is((await raise(office)).status, 200);
  assert.is((await office.thief.get('/api/auth/user')).status, 401);
});

test('the link ends with the account, and does not return with it', async (office) => {
  const { front } = office;
  const { user_id } = await front.db('sessions').orderBy('id').first();
  await front.db.transaction((trx) => front.auth.endAccess(trx, user_id));
  assert.is((await raise(office)).json.code, 'alarm_over');
});

test.run();
