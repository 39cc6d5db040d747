import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { Visitor } from '../testing/visitor.ts';
import { freshWorld } from '../testing/world.ts';
import { PERMISSIONS } from '#server/permissions.ts';

const test = suite<{ front: HttpWorld }>('registration');
test.before.each(async (world) => {
  world.front = await openHttpWorld();
});
test.after.each(({ front }) => front.close());

/** All firms but firm 0, which owns what belongs to no firm. */
const firms = ({ db }: HttpWorld) => db('firms').where('id', '>', 0);

const register = async (front: HttpWorld, body: unknown) =>
  (await front.visitor()).post('/api/auth/register', body);

test('a registration creates a firm and its admin, and signs the admin in', async ({ front }) => {
  const visitor = await front.visitor();
  const { status, json } = await visitor.post('/api/auth/register', ASHA);
  assert.is(status, 201);
  assert.is(json.success, true);
  assert.equal(json.data.user, {
    id: 1,
    name: 'Asha Rao',
    full_name: 'Asha Rao',
    email: 'asha@rao.in',
    initials: 'AR',
    role: 'admin',
    permissions: [...PERMISSIONS],
    client_scope: 'all',
    seated: true,
    owes_two_step: false,
    phone: '9876543210',
    ca_license_number: 'MRN123456',
    firm_name: 'Rao & Associates',
  });
  assert.equal(Object.keys(json.data), ['user', 'token'], 'no secret of the cookie, no hash');
  assert.equal((await visitor.get('/api/auth/user')).json.data.user, json.data.user);
});

const WRONG: [string, Record<string, unknown>, Record<string, string[]>][] = [
  ['no name', { name: ' ' }, { name: ['Name is required'] }],
  ['a name of digits', { name: '123' }, { name: ['Name is required'] }],
  ['no e-mail address', { email: '' }, { email: ['Email is required'] }],
  ['an invalid e-mail address', { email: 'asha@rao' }, { email: ['Invalid email'] }],
  ['an e-mail address with a line break', { email: 'a@b.in\nBcc: c@d.in' }, { email: ['Invalid email'] }],
  ['no licence number', { ca_license_number: ' - ' }, { ca_license_number: ['License required'] }],
  ['no phone', { phone: '' }, { phone: ['Phone is required'] }],
  ['a phone number of nine digits', { phone: '987654321' }, { phone: ['Phone must be 10 digits'] }],
  ['a phone number of twelve digits', { phone: '98765 43210 12' }, { phone: ['Phone must be 10 digits'] }],
  ['no firm', { firm_name: '' }, { firm_name: ['Firm name is required'] }],
  [
    'a password of seven characters',
    { password: '1234567', password_confirmation: '1234567' },
    { password: ['Password must be 8+ characters'] },
  ],
  [
    'a password of four characters that take two units each',
    { password: '😀🎃🦊🐝', password_confirmation: '😀🎃🦊🐝' },
    { password: ['Password must be 8+ characters'] },
  ],
  ['no password', { password: '', password_confirmation: '' }, { password: ['Password is required'] }],
  [
    'a different confirmation',
    { password_confirmation: 'x' },
    { password_confirmation: ['Passwords do not match'] },
  ],
  ['terms refused', { terms_accepted: false }, { terms_accepted: ['Accept terms to continue'] }],
  ['terms as text', { terms_accepted: 'true' }, { terms_accepted: ['Accept terms to continue'] }],
  ['a name of another type', { name: { $gt: '' } }, { name: ['Name is required'] }],
];
for (const [what, change, errors] of WRONG) {
  test(`registration with ${what} is refused with the form’s error message at that field`, async ({
    front,
  }) => {
    const { status, json } = await register(front, { ...ASHA, ...change });
    assert.is(status, 422);
    assert.equal(json.errors, errors);
    assert.is(json.message, Object.values(errors)[0]?.[0]);
    assert.equal(await firms(front), []);
  });
}

test('all invalid fields are reported together, so that a form has to be filled in twice at most', async ({
  front,
}) => {
  const { json } = await register(front, {});
  assert.equal(Object.keys(json.errors), [
    'name',
    'email',
    'password',
    'password_confirmation',
    'ca_license_number',
    'phone',
    'firm_name',
    'terms_accepted',
  ]);
  const half = await register(front, { ...ASHA, name: '', password_confirmation: 'x' });
  assert.equal(Object.keys(half.json.errors), ['name', 'password_confirmation']);
});

test('a taken address and an easy password are reported together', async ({ front }) => {
  await register(front, ASHA);
  const easy = { password: 'password', password_confirmation: 'password' };
  const { status, json } = await register(front, { ...ASHA, ...easy });
  assert.is(status, 422);
  assert.equal(Object.keys(json.errors), ['email', 'password']);
  assert.is(json.message, json.errors.email[0]);
  assert.is((await front.db('users')).length, 1);
});

test('registration normalises its fields in the same way as the form', async ({ front }) => {
  const { json } = await register(front, {
    ...ASHA,
    name: '  श्री  R.K. O’Neil 3rd ',
    email: ' Asha@Rao.IN ',
    phone: '98765-43210',
    ca_license_number: 'icai/wro-77',
  });
  assert.is(json.data.user.name, 'श्री RK ONeil rd');
  assert.is(json.data.user.email, 'asha@rao.in');
  assert.is(json.data.user.phone, '9876543210');
  assert.is(json.data.user.ca_license_number, 'ICAIWRO77');
});

test('an e-mail address can be registered only once, whatever its case', async ({ front }) => {
  await register(front, ASHA);
  const { status, json } = await register(front, { ...ASHA, email: 'ASHA@rao.in' });
  assert.is(status, 422);
  assert.equal(Object.keys(json.errors), ['email']);
  assert.is((await front.db('users')).length, 1);
  assert.is((await firms(front)).length, 1, 'no firm without a user stays behind');
});

test('of two simultaneous registrations with one e-mail address, one succeeds and the other is refused with 422', async ({
  front,
}) => {
  const both = await Promise.all([register(front, ASHA), register(front, ASHA)]);
  assert.equal(both.map(({ status }) => status).toSorted(), [201, 422]);
  assert.is((await firms(front)).length, 1);
});

test('fields that the registration form does not have are ignored, such as role, firm and permissions', async ({
  front,
}) => {
  await register(front, { ...ASHA, email: 'first@firm.in' });
  const body = JSON.stringify({
    ...ASHA,
    id: 77,
    role: 'owner',
    firm_id: 1,
    permissions: ['x'],
    deactivated_at: 'now',
  });
  const { json } = await register(front, body.replace(/}$/, ',"__proto__":{"role":"owner","isAdmin":true}}'));
  assert.is(json.data.user.role, 'admin');
  const row = await front.db('users').where({ email: ASHA.email }).first();
  assert.is(row.id, 2);
  assert.is(row.firm_id, 2);
  assert.is(row.permissions, '[]');
  assert.is(row.deactivated_at, null);
  assert.is(({} as Record<string, unknown>).isAdmin, undefined);
});

test('the database contains no password, token or cookie in clear text', async ({ front }) => {
  const asha = await front.asha();
  const rows = JSON.stringify([
    await front.db('users'),
    await front.db('sessions'),
    await front.db('audit_events'),
  ]);
  for (const secret of [ASHA.password, asha.token, asha.jar.get('almirah_session') ?? '?']) {
    assert.not.ok(rows.includes(secret));
  }
  assert.match(rows, /\$argon2id\$v=19\$/);
});

test('registrations per address are limited, since each reveals whether an e-mail address is already registered', async () => {
  const front = await openHttpWorld({ limits: true });
  const visitor = await front.visitor();
  await visitor.post('/api/auth/register', ASHA);
  for (let i = 1; i < 20; i += 1) await visitor.post('/api/auth/register', ASHA);
  const { status, headers, json } = await visitor.post('/api/auth/register', {
    ...ASHA,
    email: 'new@rao.in',
  });
  assert.is(status, 429);
  assert.is(headers.get('retry-after'), '3600');
  assert.is(json.message, 'Too many attempts. Please wait 60 minutes and try again.');
  await front.close();
});

test('with closed registration the first firm can be set up, then people join by invitation only', async () => {
  const world = await freshWorld({ registration: 'closed' });
  const base = await world.serve();
  const visitor = await new Visitor(base).arrive();
  assert.is((await visitor.post('/api/auth/register', ASHA)).status, 201);
  const stranger = await new Visitor(base).arrive();
  const { status, json } = await stranger.post('/api/auth/register', { ...ASHA, email: 'spam@mail.in' });
  assert.equal([status, json.code], [403, 'registration_closed']);
  assert.is((await world.db('firms').where('id', '>', 0)).length, 1);
  await world.close();
});

test.run();
