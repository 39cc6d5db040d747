import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { bearer, Visitor } from '../testing/visitor.ts';

const test = suite<{ front: HttpWorld }>('profile');
const NEW = 'a brand new password';

test.before.each(async (world) => {
  world.front = await openHttpWorld({ limits: true });
});
test.after.each(({ front }) => front.close());

const change = (current_password: string, password = NEW, password_confirmation = password) => ({
  current_password,
  password,
  password_confirmation,
});

test('a profile update changes only the fields sent, and the response shows the updated user', async ({
  front,
}) => {
  const asha = await front.asha();
  const { status, json } = await asha.put('/api/auth/profile', { name: 'Asha R Rao', phone: '90000 00000' });
  assert.is(status, 200);
  assert.is(json.data.name, 'Asha R Rao');
  assert.is(json.data.phone, '9000000000');
  assert.is(json.data.ca_license_number, 'MRN123456');
  assert.equal(json.user, json.data, 'callers look in either place');
  const { json: known } = await asha.get('/api/auth/user');
  assert.equal(known.data.user, json.data);
});

test('an admin can rename the firm; staff are refused with 403, unless the name sent is unchanged', async ({
  front,
}) => {
  const asha = await front.asha();
  const { json } = await asha.put('/api/auth/profile', { firm_name: 'Rao LLP' });
  assert.is(json.data.firm_name, 'Rao LLP');
  await front.db('users').update({ role: 'staff' });
  const { status } = await asha.put('/api/auth/profile', { firm_name: 'Mine' });
  assert.is(status, 403);
  const same = await asha.put('/api/auth/profile', { firm_name: 'Rao LLP', name: 'Asha' });
  assert.is(same.status, 200, 'a form that sends all its fields changes nothing by that');
});

test('a new e-mail address needs the password or a recent proof of identity, since it gives access to the account', async ({
  front,
}) => {
  const asha = await front.asha();
  front.advance(10 * 60_000);
  const without = await asha.put('/api/auth/profile', { email: 'new@rao.in' });
  assert.is(without.json.code, 'proof_needed');
  const wrong = await asha.put('/api/auth/profile', { email: 'new@rao.in', current_password: 'x' });
  assert.equal(wrong.json.errors, { current_password: ['The current password is not right'] });
  const right = await asha.put('/api/auth/profile', { email: 'NEW@rao.in', current_password: ASHA.password });
  assert.is(right.status, 200);
  assert.is(right.json.pending_email, 'new@rao.in');
  const same = await asha.put('/api/auth/profile', { email: ASHA.email });
  assert.is(same.status, 200, 'the present one is no new one');
});

test('an e-mail address of another account is refused with 422, and no other field is changed', async ({
  front,
}) => {
  const asha = await front.asha();
  await (await front.visitor()).post('/api/auth/register', { ...ASHA, email: 'other@rao.in' });
  const { status, json } = await asha.put('/api/auth/profile', {
    email: 'other@rao.in',
    name: 'Changed',
    current_password: ASHA.password,
  });
  assert.is(status, 422);
  assert.equal(Object.keys(json.errors), ['email']);
  assert.is((await asha.get('/api/auth/user')).json.data.user.name, 'Asha Rao', 'all or nothing');
});

test('invalid profile fields get the same error messages as in the form', async ({ front }) => {
  const asha = await front.asha();
  const { status, json } = await asha.put('/api/auth/profile', {
    name: '',
    phone: '1',
    email: 'x',
    firm_name: null,
  });
  assert.is(status, 422);
  assert.equal(json.errors, {
    name: ['Name is required'],
    email: ['Invalid email'],
    phone: ['Phone must be 10 digits'],
    firm_name: ['Firm name is required'],
  });
});

test('fields that the profile does not offer are ignored, such as role, permissions and firm', async ({
  front,
}) => {
  const asha = await front.asha();
  await front.db('users').update({ role: 'staff' });
  await asha.get('/api/auth/user');
  const before = await front.db('users').first();
  const body =
    '{"role":"admin","firm_id":9,"permissions":["team.manage"],"password_hash":"x","id":5,"__proto__":{"role":"admin"}}';
  assert.is((await asha.call('PUT', '/api/auth/profile', { body })).status, 200);
  assert.equal(await front.db('users').first(), before);
});

test('changing the password ends all other sessions and keeps this one', async ({ front }) => {
  const asha = await front.asha();
  const other = await front.visitor();
  const { json } = await other.post('/api/auth/login', { email: ASHA.email, password: ASHA.password });
  const { status } = await asha.post('/api/auth/change-password', change(ASHA.password));
  assert.is(status, 200);
  assert.is((await asha.get('/api/auth/user')).status, 200);
  assert.is((await asha.get('/api/auth/user', { headers: bearer(asha.token) })).status, 200);
  assert.is((await other.get('/api/auth/user')).status, 401);
  assert.is(
    (await new Visitor(front.base).get('/api/auth/user', { headers: bearer(json.data.token) })).status,
    401,
  );
  const old = await other.post('/api/auth/login', { email: ASHA.email, password: ASHA.password });
  assert.is(old.status, 401);
  assert.is((await other.post('/api/auth/login', { email: ASHA.email, password: NEW })).status, 200);
});

test('errors in a change of password are reported per field', async ({ front }) => {
  const asha = await front.asha();
  const send = async (body: unknown) => (await asha.post('/api/auth/change-password', body)).json.errors;
  assert.equal(await send(change('wrong password')), {
    current_password: ['The current password is not right'],
  });
  assert.equal(await send(change(ASHA.password, 'short')), { password: ['Password must be 8+ characters'] });
  assert.equal(await send(change(ASHA.password, NEW, 'else')), {
    password_confirmation: ['Passwords do not match'],
  });
  assert.equal(await send({}), {
    current_password: ['Password is required'],
    password: ['Password is required'],
    password_confirmation: ['Passwords do not match'],
  });
});

test('a session that guesses the current password is refused with 429 after 10 attempts, in both forms that ask for it', async ({
  front,
}) => {
  const asha = await front.asha();
  const guess = () => asha.post('/api/auth/change-password', change('guess'));
  for (let i = 0; i < 10; i += 1) assert.is((await guess()).status, 422);
  const { status, headers } = await asha.post('/api/auth/change-password', change(ASHA.password));
  assert.is(status, 429);
  assert.is(headers.get('retry-after'), '900');
  const email = await asha.put('/api/auth/profile', { email: 'new@rao.in', current_password: ASHA.password });
  assert.is(email.status, 429, 'the other door has the same lock');
});

test('of two simultaneous changes of password, only one succeeds', async ({ front }) => {
  const asha = await front.asha();
  const both = await Promise.all([
    asha.post('/api/auth/change-password', change(ASHA.password, 'first password')),
    asha.post('/api/auth/change-password', change(ASHA.password, 'second password')),
  ]);
  assert.equal(both.map(({ status }) => status).toSorted(), [200, 422]);
});

test('sign-ins made while the password is being changed do not stay signed in', async ({ front }) => {
  const asha = await front.asha();
  const visitors = await Promise.all(Array.from({ length: 6 }, () => front.visitor()));
  const [changed] = await Promise.all([
    asha.post('/api/auth/change-password', change(ASHA.password)),
    ...visitors.map((one) => one.post('/api/auth/login', { email: ASHA.email, password: ASHA.password })),
  ]);
  assert.is(changed.status, 200);
  for (const one of visitors) assert.is((await one.get('/api/auth/user')).status, 401);
});

test.run();
