import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD } from '#server/testing/build.ts';
import { rejects } from '#server/testing/rejects.ts';
import { bearer, Visitor } from '#server/testing/visitor.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

type Account = Awaited<ReturnType<World['build']['account']>>;
interface Office extends World {
  account: Account;
  /** Creates an app password for the account. @returns the password. */
  made(more?: { read_only?: boolean; folder_id?: number | null; name?: string }): Promise<string>;
  identify(
    password: string,
    email?: string,
  ): ReturnType<World['services']['auth']['appPasswords']['identify']>;
}
const HERE = { ip: '192.168.1.7', userAgent: 'test' };

const test = suite<Office>('app passwords');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.account = await office.build.account();
  const { actor, email } = office.account;
  office.made = async (more = {}) => {
    const asked = {
      name: 'Explorer',
      read_only: false,
      folder_id: null,
      current_password: PASSWORD,
      ...more,
    };
    return (await office.services.drivePasswords.create(actor, asked)).password;
  };
  office.identify = (password, as = email) => office.services.auth.appPasswords.identify(as, password, HERE);
});
test.after.each((office) => office.close());

test('creating an app password needs the account password; it is shown once and stored only as a hash', async (office) => {
  const visitor = new Visitor(await office.serve());
  const headers = bearer(office.account.token);
  const ask = (body: unknown) => visitor.post('/api/app-passwords', body, { headers });
  const wrong = await ask({ name: 'Explorer', current_password: 'not it' });
  assert.equal(Object.keys(wrong.json.errors), ['current_password']);
  assert.equal(Object.keys((await ask({ name: ' ', current_password: PASSWORD })).json.errors), ['name']);
  const strange = await office.build.folder((await office.build.account()).actor);
  const foreign = await ask({ name: 'Explorer', folder_id: strange.id, current_password: PASSWORD });
  assert.equal(Object.keys(foreign.json.errors), ['folder_id']);
  const { status, json } = await ask({ name: 'Explorer on office PC', current_password: PASSWORD });
  assert.is(status, 201);
  assert.match(json.data.password, /^(?:[0-9a-z]{5}-){4}[0-9a-z]{5}$/);
  const listed = await visitor.get('/api/app-passwords', { headers });
  assert.not.ok(listed.text.includes(json.data.password));
  assert.equal(
    listed.json.data.map(({ name, last_used_at }: { name: string; last_used_at: null }) => [
      name,
      last_used_at,
    ]),
    [['Explorer on office PC', null]],
  );
  assert.not.ok(JSON.stringify(await office.db('app_passwords')).includes(json.data.password));
  assert.ok((await office.deliverMail()).some(({ subject }) => subject === 'An app password was created'));
});

test('an app password has only its owner’s document permissions, and a read-only one only those to read and download', async (office) => {
  const whole = await office.identify(await office.made());
  assert.equal(whole?.permissions.toSorted(), [
    'documents.delete',
    'documents.download',
    'documents.read',
    'documents.unassigned',
    'documents.write',
  ]);
  const reading = await office.identify(await office.made({ read_only: true }));
  assert.equal(reading?.permissions.toSorted(), [
    'documents.download',
    'documents.read',
    'documents.unassigned',
  ]);
  const asked = { name: 'x', read_only: false, folder_id: null, current_password: PASSWORD };
  await rejects(office.services.drivePasswords.create(whole!, asked), 403);
});

test('an app password is accepted in capitals and without dashes, since people type it, and only with its owner’s e-mail address', async (office) => {
  const password = await office.made();
  assert.ok(await office.identify(password.toUpperCase().replaceAll('-', '')));
  const other = await office.build.account();
  assert.is(await office.identify(password, other.email), null);
  assert.is(await office.identify(PASSWORD), null, 'the account’s own password opens nothing');
});

test('the list of app passwords shows when and from where each was last used', async (office) => {
  await office.identify(await office.made());
  const [one] = await office.services.drivePasswords.list(office.account.actor, '10.0.0.1');
  assert.equal(
    [one?.last_used_at, one?.last_place],
    [office.now().toISOString(), 'Office network (192.168.1.7)'],
  );
});

test('an app password ends when its owner revokes it or changes the account password, and when the owner’s access is ended', async (office) => {
  const { services, account, db } = office;
  const gone = async (password: string) => assert.is(await office.identify(password), null);
  const clicked = await office.made();
  const [view] = await services.drivePasswords.list(account.actor, '::1');
  const stranger = await office.build.account();
  await rejects(services.drivePasswords.end(stranger.actor, view!.id), 404);
  await services.drivePasswords.end(account.actor, view!.id);
  await gone(clicked);
  const changed = await office.made();
  const password = 'another long password';
  const change = { current_password: PASSWORD, password, password_confirmation: password };
  await services.auth.changePassword(account.actor, change);
  await gone(changed);
  const ravi = await office.build.colleague(account.actor);
  const asked = { name: 'Scanner', read_only: false, folder_id: null, current_password: PASSWORD };
  const his = (await services.drivePasswords.create(ravi.actor, asked)).password;
  const identify = () => services.auth.appPasswords.identify(ravi.email, his, HERE);
  assert.ok(await identify());
  await db.transaction((trx) => services.auth.endAccess(trx, ravi.actor.userId));
  assert.is(await identify(), null);
});

test('an address that tries 30 wrong app passwords is refused with 429, and a valid app password still works from there', async (office) => {
  const right = await office.made();
  for (let n = 0; n < 30; n += 1) assert.is(await office.identify(`wrong-${n}`), null);
  await rejects(office.identify('wrong-31'), 429);
  assert.ok(await office.identify(right));
});

test('an app password cannot begin after the new password that ends those of whoever knew the old one', async (office) => {
  const { account, services, db } = office;
  const owner = await services.auth.signIn(account, HERE);
  const changing = (await services.auth.identifyByToken('token' in owner ? owner.token : '', HERE))!;
  const { passwords } = services.auth;
  const { verify } = passwords;
  const password = 'a phrase of the owner';
  const change = { current_password: PASSWORD, password, password_confirmation: password };
  passwords.verify = async (...checked) => {
    passwords.verify = verify;
    const right = await verify(...checked);
    await services.auth.changePassword(changing, change);
    return right;
  };
  try {
    await rejects(office.made(), 401);
  } finally {
    passwords.verify = verify;
  }
  assert.equal(await db('app_passwords'), []);
});

test.run();
