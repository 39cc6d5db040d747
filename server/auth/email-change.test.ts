import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ASHA, DAY, openHttpWorld } from '../testing/http-world.ts';
import type { HttpWorld } from '../testing/http-world.ts';
import { Visitor, bearer } from '../testing/visitor.ts';

const test = suite<{ front: HttpWorld }>('a new e-mail address');
const NEW = 'asha@new.in';

test.before.each(async (world) => {
  world.front = await openHttpWorld({ limits: true });
});
test.after.each(({ front }) => front.close());

const ask = (who: Visitor, email = NEW) =>
  who.put('/api/auth/profile', { email, current_password: ASHA.password });

async function tokenOf(front: HttpWorld): Promise<string> {
  const email = (await front.deliverMail()).findLast(({ kind }) => kind === 'auth.confirm_email');
  return /confirm-email\?token=([\w-]+)/.exec(email?.text ?? '')?.[1] ?? '';
}
const confirm = async (front: HttpWorld, token: string) =>
  (await front.visitor()).post('/api/auth/confirm-email', { token });
const signIn = async (front: HttpWorld, email: string) =>
  (await front.visitor()).post('/api/auth/login', { email, password: ASHA.password });

test('a new e-mail address counts only once the link sent to it is opened, and the old address is informed', async ({
  front,
}) => {
  const asha = await front.asha();
  const asked = await ask(asha);
  assert.is(asked.json.data.email, ASHA.email);
  assert.is(asked.json.pending_email, NEW);
  assert.match(asked.json.message, /sent a link to asha@new\.in/);
  assert.is((await signIn(front, NEW)).status, 401, 'a mistyped address locks nobody out');
  const emails = await front.deliverMail();
  assert.is(emails.findLast(({ kind }) => kind === 'auth.confirm_email')?.to.address, NEW);
  assert.is(emails.findLast(({ kind }) => kind === 'auth.email_change_asked')?.to.address, ASHA.email);

  assert.is((await confirm(front, await tokenOf(front))).status, 200);
  assert.is((await signIn(front, NEW)).status, 200);
  assert.is((await signIn(front, ASHA.email)).status, 401);
  const told = (await front.deliverMail()).findLast(({ kind }) => kind === 'auth.email_changed');
  assert.is(told?.to.address, ASHA.email);
});

test('a change of e-mail address ends all other sessions and open reset links, and keeps the session that requested it', async ({
  front,
}) => {
  const asha = await front.asha();
  const other = await front.visitor();
  const { json } = await other.post('/api/auth/login', { email: ASHA.email, password: ASHA.password });
  await front.auth.letIn(ASHA.email, { twoStepOff: false });
  await ask(asha);
  assert.is((await other.get('/api/auth/user')).status, 200);
  await confirm(front, await tokenOf(front));
  assert.is((await asha.get('/api/auth/user')).json.data.user.email, NEW);
  assert.is((await other.get('/api/auth/user')).status, 401);
  const byToken = await new Visitor(front.base).get('/api/auth/user', { headers: bearer(json.data.token) });
  assert.is(byToken.status, 401);
  assert.equal(await front.db('password_resets'), []);
});

test('a confirmation link works once, for a day, and only the newest one works', async ({ front }) => {
  const asha = await front.asha();
  await ask(asha, 'first@new.in');
  const first = await tokenOf(front);
  await ask(asha);
  const second = await tokenOf(front);
  assert.is((await confirm(front, first)).json.code, 'confirmation_over');
  front.advance(DAY);
  assert.is((await confirm(front, second)).json.code, 'confirmation_over');
  await ask(asha);
  const third = await tokenOf(front);
  const both = await Promise.all([confirm(front, third), confirm(front, third)]);
  assert.equal(both.map(({ status }) => status).toSorted(), [200, 422]);
  assert.is((await confirm(front, 'made-up')).status, 422);
});

test('changing the password cancels a pending change of e-mail address', async ({ front }) => {
  const asha = await front.asha();
  await ask(asha);
  const password = 'a brand new password';
  await asha.post('/api/auth/change-password', {
    current_password: ASHA.password,
    password,
    password_confirmation: password,
  });
  assert.is((await confirm(front, await tokenOf(front))).json.code, 'confirmation_over');
});

test('a change to an e-mail address that another account has taken meanwhile is refused with 422', async ({
  front,
}) => {
  await ask(await front.asha());
  await (await front.visitor()).post('/api/auth/register', { ...ASHA, email: NEW });
  const { status, json } = await confirm(front, await tokenOf(front));
  assert.is(status, 422);
  assert.equal(Object.keys(json.errors), ['email']);
  assert.is((await signIn(front, ASHA.email)).status, 200);
});

test('the sixth request to change the e-mail address is refused with 429, so that nobody can have mail sent to many strangers', async ({
  front,
}) => {
  const asha = await front.asha();
  for (let n = 0; n < 5; n += 1) assert.is((await ask(asha, `a${n}@new.in`)).status, 200);
  assert.is((await ask(asha, 'one-more@new.in')).status, 429);
});

test.run();
