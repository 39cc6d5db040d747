import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { PERMISSIONS } from '#server/permissions.ts';

const test = suite<{ front: HttpWorld }>('registration');
test.before.each(async (world) => {
  world.front = await openHttpWorld();
});
test.after.each(({ front }) => front.close());

/** Without firm 0, to which belongs what is nobody's. */
const firms = ({ db }: HttpWorld) => db('firms').where('id', '>', 0);

const register = async (front: HttpWorld, body: unknown) =>
  (await front.visitor()).post('/api/auth/register', body);

test('a registration makes a firm and its admin, and signs the admin in', async ({ front }) => {
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
  ['no email', { email: '' }, { email: ['Email is required'] }],
  ['no such email', { email: 'asha@rao' }, { email: ['Invalid email'] }],
  ['an email with a line break', { email: 'a@b.in\nBcc: c@d.in' }, { email: ['Invalid email'] }],
  ['no license', { ca_license_number: ' - ' }, { ca_license_number: ['License required'] }],
  ['no phone', { phone: '' }, { phone: ['Phone is required'] }],
  ['nine digits', { phone: '987654321' }, { phone: ['Phone must be 10 digits'] }],
  ['twelve digits', { phone: '98765 43210 12' }, { phone: ['Phone must be 10 digits'] }],
  ['no firm', { firm_name: '' }, { firm_name: ['Firm name is required'] }],
  [
    'seven characters',
    { password: '1234567', password_confirmation: '1234567' },
    { password: ['Password must be 8+ characters'] },
  ],
  ['no password', { password: '', password_confirmation: '' }, { password: ['Password is required'] }],
  [
    'another confirmation',
    { password_confirmation: 'x' },
    { password_confirmation: ['Passwords do not match'] },
  ],
  ['terms refused', { terms_accepted: false }, { terms_accepted: ['Accept terms to continue'] }],
  ['terms as text', { terms_accepted: 'true' }, { terms_accepted: ['Accept terms to continue'] }],
  ['another type', { name: { $gt: '' } }, { name: ['Name is required'] }],
];
for (const [what, change, errors] of WRONG) {
  test(`${what} is told at the field, in the words of the form`, async ({ front }) => {
    const { status, json } = await register(front, { ...ASHA, ...change });
    assert.is(status, 422);
    assert.equal(json.errors, errors);
    assert.is(json.message, Object.values(errors)[0]?.[0]);
    assert.equal(await firms(front), []);
  });
}

test('all fields are told at once, the confirmation too, so that a form is filled in twice at most', async ({
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

test('what is typed is cleaned as the form does it', async ({ front }) => {
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

test('an email belongs to one account, in whatever case it is written', async ({ front }) => {
  await register(front, ASHA);
  const { status, json } = await register(front, { ...ASHA, email: 'ASHA@rao.in' });
  assert.is(status, 422);
  assert.equal(Object.keys(json.errors), ['email']);
  assert.is((await front.db('users')).length, 1);
  assert.is((await firms(front)).length, 1, 'no firm without a user stays behind');
});

test('of two at once with one email, one gets the account and the other the reason', async ({ front }) => {
  const both = await Promise.all([register(front, ASHA), register(front, ASHA)]);
  assert.equal(both.map(({ status }) => status).toSorted(), [201, 422]);
  assert.is((await firms(front)).length, 1);
});

test('no field can be set that the form does not have', async ({ front }) => {
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

test('the database holds no password and no secret that opens anything', async ({ front }) => {
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

test('only so many registrations come from one place, for each tells whether an email is taken', async () => {
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

test.run();
