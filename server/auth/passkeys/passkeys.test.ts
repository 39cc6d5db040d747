import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, MINUTE, openHttpWorld } from '#server/testing/http-world.ts';
import type { HttpWorld } from '#server/testing/http-world.ts';
import { Authenticator } from '#server/testing/passkey.ts';
import type { Visitor } from '#server/testing/visitor.ts';
import { relyingParty } from './relying-party.ts';

const ORIGIN = 'http://localhost:3000';
const password = { current_password: ASHA.password };

interface Office {
  front: HttpWorld;
  asha: Visitor & { token: string };
}
const test = suite<Office>('passkeys');
test.before.each(async (office) => {
  office.front = await openHttpWorld({ limits: true, config: { baseUrl: ORIGIN, trustProxy: [] } });
  office.asha = await office.front.asha();
});
test.after.each(({ front }) => front.close());

const begin = async ({ asha }: Office) => (await asha.post('/api/auth/passkeys/options', password)).json.data;

/** Adds a passkey to the account. @returns its device and the data of the response. */
async function added(office: Office, name = 'Office laptop') {
  const device = new Authenticator(ORIGIN);
  const response = device.create(await begin(office));
  const { status, json, text } = await office.asha.post('/api/auth/passkeys', { name, response });
  assert.is(status, 201, text);
  return { device, ...json.data } as {
    device: Authenticator;
    passkey: { id: number };
    recovery_codes: string[] | null;
  };
}

async function question({ front }: Office, body = {}) {
  const visitor = await front.visitor();
  return { visitor, asked: (await visitor.post('/api/auth/login/passkey/options', body)).json.data };
}

/** Signs in with the passkey of the device. */
async function enter(office: Office, device: Authenticator, origin = ORIGIN) {
  const { visitor, asked } = await question(office);
  const answer = await visitor.post('/api/auth/login/passkey', { response: device.sign(asked, origin) });
  return { visitor, ...answer };
}

const signInByPassword = async ({ front }: Office) => {
  const visitor = await front.visitor();
  const { json } = await visitor.post('/api/auth/login', { email: ASHA.email, password: ASHA.password });
  return { visitor, data: json.data };
};

test('passkeys are offered for a domain name over https, and over plain http only on localhost', () => {
  const of = (address: string) => relyingParty(address, 'Almirah')?.id;
  assert.is(of('https://vault.rao.in:8443'), 'vault.rao.in');
  assert.is(of('http://localhost:3000'), 'localhost');
  for (const address of [
    'http://vault.rao.in',
    'https://192.168.1.9',
    'http://127.0.0.1:3000',
    'https://[::1]',
  ])
    assert.is(of(address), undefined, address);
});

test('a passkey is added with the password and signs in without it; its addition is reported by e-mail, and both are recorded', async (office) => {
  const { asha, front } = office;
  const wrong = await asha.post('/api/auth/passkeys/options', { current_password: 'not it' });
  assert.equal(Object.keys(wrong.json.errors), ['current_password']);
  const { device, recovery_codes } = await added(office);
  assert.is(recovery_codes?.length, 10, 'the second step of the account needs a way around it');
  const { visitor, status, json } = await enter(office, device);
  assert.is(status, 200);
  assert.is(json.data.user.email, ASHA.email);
  assert.is((await visitor.get('/api/auth/user')).status, 200);
  const [one] = (await asha.get('/api/auth/passkeys')).json.data;
  assert.equal([one.name, one.last_used_at], ['Office laptop', front.now().toISOString()]);
  assert.ok((await front.deliverMail()).some(({ kind }) => kind === 'auth.passkey_added'));
  const did = await front.db('audit_events').orderBy('id').pluck('did');
  assert.ok(did.includes('auth.passkey_added') && did.at(-1) === 'auth.sign_in');
  assert.is((await added(office, 'Phone')).recovery_codes, null, 'the codes of the first stay');
});

test('an account with a passkey cannot sign in by password alone: the passkey or a recovery code is needed too', async (office) => {
  const { device, recovery_codes } = await added(office);
  const first = await signInByPassword(office);
  assert.equal(first.data.two_step.ways, ['passkey']);
  const { challenge } = first.data.two_step;
  const asked = (await first.visitor.post('/api/auth/login/passkey/options', { challenge })).json.data;
  assert.equal(
    asked.allowCredentials.map(({ id }: { id: string }) => id),
    [device.id],
  );
  const done = await first.visitor.post('/api/auth/login/passkey', { response: device.sign(asked) });
  assert.is(done.status, 200, done.text);
  const lost = await signInByPassword(office);
  const body = { challenge: lost.data.two_step.challenge, code: recovery_codes![0] };
  assert.is((await lost.visitor.post('/api/auth/login/code', body)).status, 200, 'the only passkey is lost');
  assert.is((await office.asha.get('/api/auth/two-step')).json.data.recovery_codes_left, 9);
});

test('every invalid passkey response is refused with 401 and the same error code', async (office) => {
  const { device } = await added(office);
  const refused = async (what: string, work: Promise<{ status: number; json: { code: string } }>) => {
    const { status, json } = await work;
    assert.equal([status, json.code], [401, 'passkey_refused'], what);
  };
  await refused('another site', enter(office, device, 'http://localhost:3001'));
  device.verifies = false;
  await refused('nobody was checked', enter(office, device));
  device.verifies = true;
  const stranger = new Authenticator(ORIGIN);
  stranger.userHandle = device.userHandle;
  await refused('a key that nobody added', enter(office, stranger));
  Object.assign(stranger, { id: device.id });
  await refused('another key under its name', enter(office, stranger));
  const { visitor, asked } = await question(office);
  const send = (response: object) => visitor.post('/api/auth/login/passkey', { response });
  await refused('a challenge of our own making', send(device.sign({ ...asked, challenge: 'eHg' })));
  await refused('a challenge to add one', send(device.sign(await begin(office))));
  office.front.advance(5 * MINUTE);
  await refused('too late', send(device.sign(asked)));
  assert.is((await visitor.get('/api/auth/user')).status, 401);
});

test('a passkey response works once, and a signature counter that goes down is refused, since it indicates a cloned device', async (office) => {
  const { device } = await added(office);
  const { asked } = await question(office);
  const response = device.sign(asked);
  const many = await Promise.all(
    Array.from({ length: 4 }, async () =>
      (await office.front.visitor()).post('/api/auth/login/passkey', { response }),
    ),
  );
  assert.is(many.filter(({ status }) => status === 200).length, 1);
  device.counter = 7;
  assert.is((await enter(office, device)).status, 200);
  device.counter = 6;
  assert.is((await enter(office, device)).status, 401);
});

test('a passkey is added only once, for a request of this session, on this site, and with user verification', async (office) => {
  const add = (response: object) => office.asha.post('/api/auth/passkeys', { name: 'x', response });
  const elsewhere = new Authenticator('https://evil.example').create(await begin(office));
  assert.is((await add(elsewhere)).status, 422);
  const careless = new Authenticator(ORIGIN);
  careless.verifies = false;
  assert.is((await add(careless.create(await begin(office)))).status, 422);
  const good = new Authenticator(ORIGIN).create(await begin(office));
  const other = await signInByPassword(office);
  assert.is((await other.visitor.post('/api/auth/passkeys', { name: 'x', response: good })).status, 422);
  assert.equal(
    Object.keys((await office.asha.post('/api/auth/passkeys', { name: ' ', response: good })).json.errors),
    ['name'],
  );
  assert.is((await add(good)).status, 201);
  assert.is((await add(good)).status, 422);
});

test('only its owner can rename or remove a passkey, removal needs the password, and a removed passkey cannot sign in', async (office) => {
  const { device, passkey } = await added(office);
  const path = `/api/auth/passkeys/${passkey.id}`;
  const stranger = await office.front.visitor();
  await stranger.post('/api/auth/register', { ...ASHA, email: 'ravi@shah.in' });
  assert.is((await stranger.call('PATCH', path, { body: { name: 'Mine' } })).status, 404);
  assert.is((await stranger.post(`${path}/remove`, password)).status, 404);
  assert.is(
    (await office.asha.call('PATCH', path, { body: { name: 'Home laptop' } })).json.data.name,
    'Home laptop',
  );
  assert.is((await office.asha.post(`${path}/remove`, { current_password: 'wrong' })).status, 422);
  assert.is((await office.asha.post(`${path}/remove`, password)).status, 200);
  assert.is((await enter(office, device)).status, 401);
  assert.ok((await signInByPassword(office)).data.token, 'the password alone is enough again');
  assert.is(await office.front.db('recovery_codes').first(), undefined);
});

test('a passkey satisfies a firm’s two-step requirement, and the last one cannot then be removed', async (office) => {
  const { asha, front } = office;
  await front.db('firms').update({ two_step_required_at: front.now().toISOString() });
  assert.is((await asha.get('/api/auth/user')).json.data.user.owes_two_step, true);
  const { passkey } = await added(office);
  assert.is((await asha.get('/api/auth/user')).json.data.user.owes_two_step, false);
  const { status, json } = await asha.post(`/api/auth/passkeys/${passkey.id}/remove`, password);
  assert.equal([status, json.code], [409, 'two_step_required']);
  assert.is((await asha.get('/api/auth/passkeys')).json.data.length, 1);
});

test('the operator can let in a user who has lost passkey and codes, by switching two-step sign-in off', async (office) => {
  const { device } = await added(office);
  await office.front.auth.letIn(ASHA.email, { twoStepOff: true });
  assert.is((await enter(office, device)).status, 401);
  assert.ok((await signInByPassword(office)).data.token);
});

test('a user outside work hours and a deactivated one learn why from their own passkey, which seems to be broken otherwise', async (office) => {
  const { device } = await added(office);
  const { db } = office.front;
  await db('users').update({ work_hours: JSON.stringify({ days: [7], from: '01:00', to: '02:00' }) });
  assert.is((await enter(office, device)).status, 403);
  await db('users').update({ work_hours: null, deactivated_at: office.front.now().toISOString() });
  const { visitor, status, json } = await enter(office, device);
  assert.equal([status, json.code], [403, 'deactivated']);
  assert.match(json.message, `Your account at ${ASHA.firm_name} was deactivated.`);
  assert.is((await visitor.get('/api/auth/user')).status, 401);
  const stranger = new Authenticator(ORIGIN);
  Object.assign(stranger, { id: device.id, userHandle: device.userHandle });
  assert.is((await enter(office, stranger)).json.code, 'passkey_refused', 'without the key nobody learns it');
});

test.run();
