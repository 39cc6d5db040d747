import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Secret } from 'otpauth';
import { dumpDatabase } from '../testing/dump-database.ts';
import { ASHA, MINUTE, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import type { Visitor } from '../testing/visitor.ts';
import { codeAt } from './totp.ts';

interface Phone {
  front: HttpWorld;
  asha: Visitor & { token: string };
  secret: Buffer;
  codes: string[];
}
const test = suite<Phone>('two-step sign-in');
const password = { current_password: ASHA.password };
const STEP = 30_000;

test.before.each(async (world) => {
  world.front = await openHttpWorld({
    limits: true,
    config: { baseUrl: 'http://vault.test', trustProxy: ['127.0.0.1/32'] },
  });
  world.asha = await world.front.asha();
});
test.after.each(({ front }) => front.close());

const code = ({ front, secret }: Phone, ms = 0) => codeAt(secret, new Date(front.now().getTime() + ms));
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });

async function switchOn(world: Phone): Promise<void> {
  const { asha } = world;
  const { json } = await asha.post('/api/auth/two-step/setup', password);
  world.secret = Buffer.from(Secret.fromBase32(json.data.secret.replaceAll(' ', '')).bytes);
  const confirmed = await asha.post('/api/auth/two-step/confirm', { code: code(world) });
  assert.is(confirmed.status, 200, confirmed.text);
  world.codes = confirmed.json.data.recovery_codes;
  // Each code works once, so the test needs the next one.
  world.front.advance(STEP);
}

async function begin({ front }: Phone, ip = '192.0.2.1') {
  const visitor = await front.visitor();
  const body = { email: ASHA.email, password: ASHA.password };
  const { json, headers } = await visitor.post('/api/auth/login', body, from(ip));
  return { visitor, data: json.data, headers, challenge: json.data?.two_step?.challenge as string };
}

async function enter(world: Phone, given: string, ip = '192.0.2.1') {
  const { visitor, challenge } = await begin(world, ip);
  return visitor.post('/api/auth/login/code', { challenge, code: given }, from(ip));
}

test('set-up gives a secret to scan or to type, and two-step sign-in is on only once a code confirms it', async (world) => {
  const { json } = await world.asha.post('/api/auth/two-step/setup', password);
  assert.match(json.data.secret, /^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  assert.match(json.data.address, /^otpauth:\/\/totp\/Almirah:asha%40rao\.in\?issuer=Almirah&secret=/);
  assert.match(json.data.qr, /^<svg /);
  const { status, json: wrong } = await world.asha.post('/api/auth/two-step/confirm', { code: '000000' });
  assert.is(status, 422);
  assert.match(wrong.errors.code[0], /not right/);
  assert.ok((await begin(world)).data.token, 'the password alone still opens');
});

test('a correct password gives neither token nor cookie before the code is entered', async (world) => {
  await switchOn(world);
  const { visitor, data, headers, challenge } = await begin(world);
  assert.equal(Object.keys(data), ['two_step']);
  assert.is(data.two_step.expires_in, 600);
  assert.not.match(headers.getSetCookie().join(), /session|device/);
  assert.is((await visitor.get('/api/auth/user')).status, 401);
  const { status, json } = await visitor.post('/api/auth/login/code', { challenge, code: code(world) });
  assert.is(status, 200);
  assert.is(json.data.user.email, ASHA.email);
  assert.is((await visitor.get('/api/auth/user')).status, 200);
});

test('each code works once, and a code older than the last one used is refused', async (world) => {
  await switchOn(world);
  const used = code(world);
  assert.is((await enter(world, used)).status, 200);
  const again = await enter(world, used);
  assert.is(again.status, 401);
  assert.is(again.json.code, 'invalid_code');
  assert.is((await enter(world, code(world, -STEP))).status, 401, 'the one before it');
  world.front.advance(STEP);
  assert.is((await enter(world, code(world))).status, 200);
});

test('a clock that is set back does not lock users out, and a code still works only once', async (world) => {
  await switchOn(world);
  assert.is((await enter(world, code(world))).status, 200);
  world.front.advance(-2 * 24 * 60 * MINUTE);
  assert.is((await enter(world, code(world))).status, 200);
  assert.is((await enter(world, code(world))).status, 401);
});

test('a phone whose clock is half a minute off can sign in, one that is two minutes off cannot', async (world) => {
  await switchOn(world);
  assert.is((await enter(world, code(world, STEP))).status, 200);
  world.front.advance(10 * MINUTE);
  assert.is((await enter(world, code(world, 2 * MINUTE))).status, 401);
  assert.is((await enter(world, code(world, -2 * MINUTE))).status, 401);
});

test('of five simultaneous sign-ins with the same code, only one succeeds', async (world) => {
  await switchOn(world);
  const given = code(world);
  const halves = await Promise.all(Array.from({ length: 5 }, (_, i) => begin(world, `192.0.2.${i}`)));
  const all = await Promise.all(
    halves.map(({ visitor, challenge }, i) =>
      visitor.post('/api/auth/login/code', { challenge, code: given }, from(`192.0.2.${i}`)),
    ),
  );
  assert.is(all.filter(({ status }) => status === 200).length, 1);
});

test('a recovery code works once, in capitals and without dashes too, and its use is reported by e-mail', async (world) => {
  await switchOn(world);
  assert.is(world.codes.length, 10);
  const [first = ''] = world.codes;
  assert.match(first, /^[a-z2-9]{4}(?:-[a-z2-9]{4}){5}$/);
  assert.is((await enter(world, ` ${first.toUpperCase().replaceAll('-', ' ')} `)).status, 200);
  assert.is((await enter(world, first)).status, 401);
  const { json } = await world.asha.get('/api/auth/two-step');
  assert.is(json.data.recovery_codes_left, 9);
  assert.match((await world.front.deliverMail()).at(-2)!.text, /9 are left/);
});

test('a shorter recovery code of the earlier format still works once', async (world) => {
  await switchOn(world);
  const code_hash = createHash('sha256').update('recovery 1 k3mp9xqav7cd2fgh').digest('base64url');
  await world.front.db('recovery_codes').insert({ user_id: 1, code_hash, used_at: null });
  assert.is((await enter(world, 'k3mp-9xqa-v7cd-2fgh')).status, 200);
  assert.is((await enter(world, 'k3mp-9xqa-v7cd-2fgh')).status, 401);
});

test('after six wrong codes an address is refused with 429, and the owner can still sign in from another address', async (world) => {
  await switchOn(world);
  for (let i = 0; i < 6; i += 1) assert.is((await enter(world, '000000', '203.0.113.1')).status, 401);
  const { status, headers } = await enter(world, code(world), '203.0.113.1');
  assert.is(status, 429);
  assert.is(headers.get('retry-after'), '900');
  assert.is((await enter(world, code(world), '192.0.2.1')).status, 200);
});

test('guessing codes from many addresses is limited too', async (world) => {
  await switchOn(world);
  for (let i = 0; i < 30; i += 1) await enter(world, '000000', `203.0.113.${i}`);
  assert.is((await enter(world, code(world), '203.0.113.99')).status, 429);
});

test('a sign-in challenge ends after ten minutes, and when the password is changed', async (world) => {
  await switchOn(world);
  const late = await begin(world);
  world.front.advance(10 * MINUTE);
  const send = ({ visitor, challenge }: typeof late) =>
    visitor.post('/api/auth/login/code', { challenge, code: code(world) });
  assert.is((await send(late)).json.code, 'sign_in_over');
  const stale = await begin(world);
  const change = { ...password, password: 'another phrase', password_confirmation: 'another phrase' };
  assert.is((await world.asha.post('/api/auth/change-password', change)).status, 200);
  assert.is((await send(stale)).json.code, 'sign_in_over');
});

test('an invalid or missing challenge is refused', async (world) => {
  await switchOn(world);
  const visitor = await world.front.visitor();
  for (const challenge of ['x', undefined, 'x'.repeat(43), 9]) {
    const { status } = await visitor.post('/api/auth/login/code', { challenge, code: code(world) });
    assert.ok(status === 401 || status === 422, String(status));
  }
});

test('switching two-step sign-in off needs the password and a code, and is reported by e-mail', async (world) => {
  await switchOn(world);
  const { asha } = world;
  const off = (body: object) => asha.post('/api/auth/two-step/disable', body);
  assert.equal(Object.keys((await off({})).json.errors), ['current_password', 'code']);
  assert.ok((await off({ current_password: 'wrong', code: code(world) })).json.errors.current_password);
  assert.ok((await off({ ...password, code: '000000' })).json.errors.code);
  assert.is((await off({ ...password, code: code(world) })).status, 200);
  assert.ok((await begin(world)).data.token);
  assert.equal(
    (await world.front.deliverMail())
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('auth.two_step')),
    ['auth.two_step_on', 'auth.two_step_off'],
  );
});

test('two-step sign-in cannot be set up again while it is on, so that a stolen session cannot move it to another phone', async (world) => {
  await switchOn(world);
  assert.is((await world.asha.post('/api/auth/two-step/setup', password)).status, 409);
  assert.is((await world.asha.post('/api/auth/two-step/confirm', { code: code(world) })).status, 409);
});

test('new recovery codes replace the old ones', async (world) => {
  await switchOn(world);
  const { json } = await world.asha.post('/api/auth/two-step/recovery-codes', password);
  assert.is((await enter(world, world.codes[0]!)).status, 401);
  assert.is((await enter(world, json.data.recovery_codes[0])).status, 200);
});

test('the database contains neither the two-step secret nor a recovery code in clear text', async (world) => {
  await switchOn(world);
  const copy = await dumpDatabase(world.front.db);
  for (const secret of [world.secret.toString('latin1'), world.secret.toString('hex'), ...world.codes]) {
    assert.not(copy.includes(secret));
  }
});

test.run();
