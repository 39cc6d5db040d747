import { suite, test as plain } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { PASSWORD_TOO_COMMON, PASSWORD_TOO_NEAR, isNear } from './contract.ts';
import { createPasswords } from './passwords.ts';
import { isCommon } from './weak-passwords.ts';

plain(
  'the passwords that attackers try first are common, also with substituted characters or appended digits',
  async () => {
    for (const weak of [
      'password',
      'Password',
      '12345678',
      '00000000',
      '87654321',
      'qwertyuiop',
      'P@ssw0rd',
      'password@123',
      'Admin@123',
      'krishna2026',
      'ｐａｓｓｗｏｒｄ',
      'abababab',
    ]) {
      assert.ok(await isCommon(weak), weak);
    }
  },
);

plain('a password that is hard to guess is not common, whatever words it contains', async () => {
  for (const good of [
    'correct horse battery',
    'a brand new password',
    'मेरा लंबा पासवर्ड',
    'Kx9#vTq2',
    'almirah in the corner',
    'monsoon came on friday',
  ]) {
    assert.not.ok(await isCommon(good), good);
  }
});

plain(
  'the user’s own name, firm, e-mail address, phone or licence number is refused as password, also with digits or signs added',
  () => {
    const person = { ...ASHA, email: 'asha.rao@raoassociates.in' };
    for (const weak of [
      'asha.rao@raoassociates.in',
      'Asha.Rao',
      'asharao1',
      'Rao & Associates',
      'associates2026',
      '98765-43210',
      'MRN 123456',
      '@@asha@@',
    ]) {
      assert.ok(isNear(weak, person), weak);
    }
    for (const good of ['asha drinks filter coffee', 'rao12345', 'correct horse battery']) {
      assert.not.ok(isNear(good, person), good);
    }
    assert.not.ok(isNear('12345678', { name: '', email: '' }), 'one of whom nothing is known');
  },
);

const test = suite<{ front: HttpWorld }>('weak passwords');
test.before.each(async (world) => {
  world.front = await openHttpWorld();
});
test.after.each(({ front }) => front.close());

const both = (password: string) => ({ password, password_confirmation: password });

test('registration, change and reset of a password refuse a weak one with the same message', async ({
  front,
}) => {
  const visitor = await front.visitor();
  const registered = await visitor.post('/api/auth/register', { ...ASHA, ...both('password1') });
  assert.is(registered.status, 422);
  assert.equal(registered.json.errors, { password: [PASSWORD_TOO_COMMON] });
  const asha = await front.asha();
  const changed = await asha.post('/api/auth/change-password', {
    current_password: ASHA.password,
    ...both('asharao1'),
  });
  assert.equal(changed.json.errors, { password: [PASSWORD_TOO_NEAR] });
  const link = await front.auth.letIn(ASHA.email, { twoStepOff: false });
  const reset = (password: string) =>
    visitor.post('/api/auth/reset-password', { token: link, ...both(password) });
  assert.equal((await reset('iloveyou')).json.errors, { password: [PASSWORD_TOO_COMMON] });
  assert.equal((await reset('Rao Associates')).json.errors, { password: [PASSWORD_TOO_NEAR] });
  assert.is((await reset('a brand new password')).status, 200, 'a refused one does not use the link up');
});

test('a user whose existing password is weak can still sign in', async ({ front }) => {
  await front.asha();
  await front.db('users').update({ password_hash: await createPasswords().hash('password') });
  const visitor = await front.visitor();
  const { status } = await visitor.post('/api/auth/login', { email: ASHA.email, password: 'password' });
  assert.is(status, 200);
});

plain.run();
test.run();
