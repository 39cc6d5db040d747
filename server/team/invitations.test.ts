import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import type { Invitation } from './contract.ts';
import { invitation } from './contract.ts';

const test = suite<World>('invitations');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const DAY = 24 * 60 * 60_000;
const FROM = { ip: '203.0.113.9', userAgent: 'test' };
const PASSWORD = 'a quiet morning';

const wish = (emails: string, more: Partial<Invitation> = {}): Invitation => ({
  ...v.parse(invitation, { emails, role: 'staff' }),
  ...more,
});
const fields = (token: string, name = 'Ravi Kumar') => ({
  token,
  name,
  password: PASSWORD,
  password_confirmation: PASSWORD,
});

/** The token in the newest e-mail to this address. */
async function linkOf({ deliverMail }: World, email: string): Promise<string> {
  const emails = (await deliverMail()).filter(({ to }) => JSON.stringify(to).includes(email));
  return /\/join\?token=([\w-]{43})/.exec(emails.at(-1)?.text ?? '')?.[1] ?? '';
}

test('an invited user sets a name and a password, and gets the chosen role and clients', async (world) => {
  const { services, build, db } = world;
  const { actor } = await build.account();
  await services.subscription.startTrial(actor);
  const sharma = await build.client(actor, 'Sharma', { group_name: 'Pune' });
  await services.team.invite(
    actor,
    wish('RAVI@Rao.in', {
      role: 'manager',
      client_scope: 'assigned',
      client_ids: [sharma],
      groups: ['Pune'],
    }),
  );
  const token = await linkOf(world, 'ravi@rao.in');
  const asked = await services.team.invitation(token, FROM);
  assert.equal(asked, {
    state: 'open',
    firm: 'Rao & Co',
    email: 'ravi@rao.in',
    invited_by: 'Asha Rao',
    two_step_required: false,
  });
  const { user, cookie } = await services.team.join(fields(token), FROM);
  assert.equal([user.name, user.role, user.firm_name], ['Ravi Kumar', 'manager', 'Rao & Co']);
  const ravi = (await services.auth.identifyByCookie(cookie))!;
  assert.is(ravi.firmId, actor.firmId);
  assert.is(ravi.clientScope, 'assigned');
  assert.equal(await db('user_clients').pluck('client_id'), [sharma]);
  assert.equal(await db('user_client_groups').pluck('group_name'), ['Pune']);
  const again = await services.auth.signIn({ email: 'ravi@rao.in', password: PASSWORD }, FROM);
  assert.ok('token' in again);
  const { people, invitations, seats } = await services.team.view(actor);
  assert.equal(
    people.map(({ name, role, clients }) => [name, role, clients]),
    [
      ['Asha Rao', 'admin', 0],
      ['Ravi Kumar', 'manager', 1],
    ],
  );
  assert.equal(invitations, []);
  assert.equal(seats, { people: 2, invited: 0, allowed: 3 });
});

test('an invitation link works once, for seven days, and only the newest one works; a forged one is refused', async (world) => {
  const { services, build, advance } = world;
  const { actor } = await build.account();
  await services.subscription.startTrial(actor);
  const [{ id } = { id: 0 }] = await services.team.invite(actor, wish('ravi@rao.in'));
  const first = await linkOf(world, 'ravi@rao.in');
  await services.team.sendAgain(actor, id);
  const second = await linkOf(world, 'ravi@rao.in');
  assert.is.not(first, second);
  for (const token of [first, 'x'.repeat(43), '']) {
    assert.equal(await services.team.invitation(token, FROM), { state: 'over' });
    const { code } = await rejects(services.team.join(fields(token), FROM), 422);
    assert.is(code, 'invitation_over');
  }
  advance(7 * DAY);
  assert.equal(await services.team.invitation(second, FROM), { state: 'over' });
  assert.is((await services.team.view(actor)).invitations[0]?.state, 'expired');
  await services.team.sendAgain(actor, id);
  const third = await linkOf(world, 'ravi@rao.in');
  await services.team.join(fields(third), FROM);
  await rejects(services.team.join(fields(third, 'Twice'), FROM), 422);
  assert.is((await services.team.view(actor)).people.length, 2);
});

test('a revoked invitation link is refused, and its seat becomes free', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  await services.subscription.startTrial(actor);
  const [{ id } = { id: 0 }] = await services.team.invite(actor, wish('ravi@rao.in'));
  const token = await linkOf(world, 'ravi@rao.in');
  await services.team.revoke(actor, id);
  await rejects(services.team.join(fields(token), FROM), 422);
  assert.is((await services.team.view(actor)).seats.invited, 0);
  await rejects(services.team.revoke(actor, id), 404);
  await rejects(services.team.sendAgain(actor, id), 404);
});

test('users and open invitations count towards the plan’s seats, and the refusal states how many seats are left', async (world) => {
  const { services, build, advance } = world;
  const { actor } = await build.account();
  const free = await rejects(services.team.invite(actor, wish('a@rao.in')), 422);
  assert.is(free.code, 'user_limit');
  assert.match(free.message, 'Your plan allows 1 person: 1 person works here, so there is no seat left.');
  await services.subscription.startTrial(actor);
  const many = await rejects(services.team.invite(actor, wish('a@rao.in, b@rao.in, c@rao.in')), 422);
  assert.match(many.message, 'so there is room for 2 more, not 3');
  assert.is((await services.team.view(actor)).invitations.length, 0, 'all or none');
  await services.team.invite(actor, wish('a@rao.in, b@rao.in'));
  await rejects(services.team.invite(actor, wish('c@rao.in')), 422);
  advance(7 * DAY);
  await services.team.invite(actor, wish('c@rao.in'));
  await services.team.invite(actor, wish('d@rao.in'));
  const [{ id } = { id: 0 }] = (await services.team.view(actor)).invitations.filter(
    ({ email }) => email === 'a@rao.in',
  );
  const { code } = await rejects(services.team.sendAgain(actor, id), 422);
  assert.is(code, 'user_limit', 'one that has run out needs a place again');
});

test('simultaneous invitations cannot exceed the plan’s seats', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  await services.subscription.startTrial(actor);
  const tried = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => services.team.invite(actor, wish(`p${index}@rao.in`))),
  );
  assert.is(tried.filter(({ status }) => status === 'fulfilled').length, 2);
  assert.equal((await services.team.view(actor)).seats, { people: 1, invited: 2, allowed: 3 });
});

test('when many accept simultaneously, no more join than the plan allows, and the links of the others stay valid', async (world) => {
  const { services, build, db } = world;
  const { actor, email } = await build.account();
  await services.subscription.administration.grant(email, 'Enterprise', 1);
  const people = ['a', 'b', 'c', 'd', 'e'];
  await services.team.invite(actor, wish(people.map((one) => `${one}@rao.in`).join(' ')));
  const tokens: string[] = [];
  for (const one of people) tokens.push(await linkOf(world, `${one}@rao.in`));
  await db('subscriptions').update({ revoked_at: world.now().toISOString() });
  await services.subscription.startTrial(actor);
  const tried = await Promise.allSettled(tokens.map((token) => services.team.join(fields(token), FROM)));
  const refusals = tried.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  assert.equal(refusals, ['firm_full', 'firm_full', 'firm_full']);
  assert.is((await services.team.view(actor)).people.length, 3);
  const left = tokens[tried.findIndex(({ status }) => status === 'rejected')]!;
  assert.is((await services.team.invitation(left, FROM)).state, 'full');
  await services.subscription.administration.grant(email, 'Enterprise', 1);
  await services.team.join(fields(left), FROM);
});

test('simultaneous uses of one invitation link create only one user', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  await services.subscription.startTrial(actor);
  await services.team.invite(actor, wish('ravi@rao.in'));
  const token = await linkOf(world, 'ravi@rao.in');
  const tried = await Promise.allSettled(
    Array.from({ length: 5 }, () => services.team.join(fields(token), FROM)),
  );
  assert.is(tried.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('inviting an address of another firm informs only its owner; the inviting firm gets the same response as for a new address', async (world) => {
  const { services, build, deliverMail } = world;
  const { actor } = await build.account();
  await services.subscription.startTrial(actor);
  const stranger = await build.account({ firm_name: 'Another & Co' });
  const [known] = await services.team.invite(actor, wish(stranger.email));
  const [unknown] = await services.team.invite(actor, wish('nobody@rao.in'));
  const shape = (one: typeof known) => ({ ...one, id: 0, email: '' });
  assert.equal(shape(known), shape(unknown));
  const told = (await deliverMail()).filter(({ to }) => JSON.stringify(to).includes(stranger.email)).at(-1);
  assert.match(told!.text, 'already belongs to an Almirah account of another firm');
  assert.not.match(told!.text, 'join?token');
  assert.not.match(told!.text, 'Another & Co');
});

test('an invited address that has registered its own firm meanwhile is refused with the reason, and the invitation stays open', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  await services.subscription.startTrial(actor);
  await services.team.invite(actor, wish('ravi@rao.in'));
  const token = await linkOf(world, 'ravi@rao.in');
  await build.account({ email: 'ravi@rao.in' });
  assert.is((await services.team.invitation(token, FROM)).state, 'taken');
  const { code } = await rejects(services.team.join(fields(token), FROM), 409);
  assert.is(code, 'address_taken');
  assert.is((await services.team.view(actor)).seats.invited, 1);
});

test('inviting oneself, colleagues or already invited addresses is refused with a reason for each, and nobody is invited', async (world) => {
  const { services, build } = world;
  const asha = await build.account();
  const ravi = await build.colleague(asha.actor);
  const meera = await build.colleague(asha.actor, { name: 'Meera' });
  await services.team.deactivate(asha.actor, meera.actor.userId, { heir: null });
  await services.team.invite(asha.actor, wish('new@rao.in'));
  const all = [asha.email, ravi.email, meera.email, 'new@rao.in', 'other@rao.in'].join('\n');
  const { errors } = await rejects(services.team.invite(asha.actor, wish(all.toUpperCase())), 422);
  assert.equal(errors?.['emails'], [
    'This is your own address.',
    `Already in your firm: ${ravi.email}.`,
    `Deactivated, so reactivate instead of inviting: ${meera.email}.`,
    'Already invited: new@rao.in. Use "Send again" beside the name.',
  ]);
  assert.is((await services.team.view(asha.actor)).invitations.length, 1);
});

test('pasted e-mail addresses may have names and any separators; duplicates are merged, and invalid ones are refused', () => {
  assert.equal(wish('"Kumar, Ravi" <Ravi@Rao.in>; meera@rao.in,\nRAVI@RAO.IN  asha@rao.in').emails, [
    'ravi@rao.in',
    'meera@rao.in',
    'asha@rao.in',
  ]);
  const thousand = Array.from({ length: 1000 }, (_, index) => `p${index}@rao.in`).join('\n');
  const message = (emails: string) => v.safeParse(invitation, { emails, role: 'staff' }).issues?.[0].message;
  assert.is(message(thousand), 'Invite at most 50 people at a time; these are 1000 addresses');
  assert.is(message('ravi@, meera'), 'Not an e-mail address: ravi@, meera');
  assert.is(message(' \n'), 'Enter at least one e-mail address');
});

test('only users who manage the team may see or invite; clients of another firm cannot be assigned', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const theirs = await build.client(await build.actor());
  for (const role of ['manager', 'staff', 'viewer'] as const) {
    const { actor: other } = await build.colleague(actor, { role });
    await rejects(services.team.view(other), 403);
    await rejects(services.team.invite(other, wish('x@rao.in', { role: 'viewer' })), 403);
    await rejects(services.team.sendAgain(other, 1), 403);
    await rejects(services.team.revoke(other, 1), 403);
  }
  const foreign = wish('x@rao.in', { client_scope: 'assigned', client_ids: [theirs] });
  assert.ok((await rejects(services.team.invite(actor, foreign), 422)).errors?.['client_ids']);
});

test('without a mail server, the invitation link is shown once to the admin who invites', async () => {
  const kept = { sends: false, means: '', deliver: async () => {}, close: () => {} };
  const world = await freshWorld({ transport: kept });
  const { services, build } = world;
  try {
    const { actor } = await build.account();
    await services.subscription.startTrial(actor);
    const [invited] = await services.team.invite(actor, wish('ravi@rao.in'));
    const token = invited!.link!.split('token=')[1]!;
    assert.is((await services.team.invitation(token, FROM)).state, 'open');
    const { link } = await services.team.sendAgain(actor, invited!.id);
    assert.is((await services.team.invitation(token, FROM)).state, 'over', 'a new link ends the old one');
    const { user } = await services.team.join(fields(link!.split('token=')[1]!), FROM);
    assert.is(user.email, 'ravi@rao.in');
  } finally {
    await world.close();
  }
});

test('neither the database nor the history contains the invitation link', async (world) => {
  const { services, build, db } = world;
  const { actor } = await build.account();
  await services.subscription.startTrial(actor);
  await services.team.invite(actor, wish('ravi@rao.in'));
  const token = await linkOf(world, 'ravi@rao.in');
  const kept = JSON.stringify([await db('invitations'), await db('audit_events')]);
  assert.not.match(kept, token);
  const { data } = await services.audit.list(actor, {});
  assert.equal([data[0]?.what, data[0]?.about], ['Invited', 'ravi@rao.in: Staff']);
});

test('in a firm that requires two-step sign-in, a new user has no permissions until it is set up', async (world) => {
  const { services, build, db } = world;
  const { actor } = await build.account();
  await services.subscription.startTrial(actor);
  await services.team.invite(actor, wish('ravi@rao.in'));
  const token = await linkOf(world, 'ravi@rao.in');
  const { code } = await rejects(services.team.requireTwoStep(actor, true), 409);
  assert.is(code, 'two_step_off');
  await db('two_step').insert({
    user_id: actor.userId,
    sealed_secret: Buffer.from('x'),
    last_step: 0,
    enabled_at: 'now',
    created_at: 'now',
  });
  await services.team.requireTwoStep(actor, true);
  await services.team.requireTwoStep(actor, true);
  const { user, cookie } = await services.team.join(fields(token), FROM);
  assert.equal([user.owes_two_step, user.permissions], [true, []]);
  const ravi = (await services.auth.identifyByCookie(cookie))!;
  await rejects(services.documents.createFolder(ravi, { name: 'A', parent_id: null, client_id: null }), 403);
  await db('two_step').insert({
    user_id: ravi.userId,
    sealed_secret: Buffer.from('x'),
    last_step: 0,
    enabled_at: 'now',
    created_at: 'now',
  });
  assert.ok((await services.auth.identifyByCookie(cookie))!.permissions.includes('documents.write'));
});

test('two-step sign-in can be required from a date: until then it is announced, and from then on it must be set up first', async (world) => {
  const { services, build, db } = world;
  const { actor } = await build.account();
  const ravi = await build.colleague(actor);
  await db('passkeys').insert({
    user_id: actor.userId,
    name: 'Laptop',
    credential_id: 'x',
    public_key: Buffer.from('x'),
    counter: 0,
    transports: '[]',
    user_handle: 'x',
    backed_up: false,
    created_at: 'now',
  });
  const now = async () => (await services.auth.identifyByCookie(ravi.cookie))!;
  for (const day of ['2026-11-19', '2027-12-30'])
    await rejects(services.team.requireTwoStep(actor, true, day), 422);
  await services.team.requireTwoStep(actor, true, '2026-11-30');
  assert.is((await services.team.view(actor)).two_step_from, '2026-11-29T18:30:00.000Z');
  const before = await now();
  assert.equal([before.owesTwoStep, before.twoStepFrom], [false, '2026-11-29T18:30:00.000Z']);
  assert.ok(before.permissions.includes('documents.write'));
  assert.is((await services.auth.identifyByCookie((await build.account()).cookie))!.twoStepFrom, null);
  world.shiftClock(Date.parse('2026-11-29T18:30:00.000Z') - world.now().getTime());
  assert.equal([(await now()).owesTwoStep, (await now()).permissions], [true, []]);
  assert.is((await services.auth.actorOfUser(actor.userId))!.owesTwoStep, false);
  for (const day of [null, '2026-12-15'])
    await services.team.requireTwoStep({ ...actor, proven: true }, true, day);
  assert.is((await services.team.view(actor)).two_step_from, '2026-11-29T18:30:00.000Z', 'it stays as it is');
  await services.team.requireTwoStep(actor, false);
  assert.is((await now()).owesTwoStep, false);
});

test('an invitation ends when its inviter is deactivated or may no longer invite, since it would bring them back in', async (world) => {
  const { services, build, db } = world;
  const { actor } = await build.account();
  for (const [name, end] of [
    ['arun', (id: number) => services.team.deactivate(actor, id, { heir: null })],
    ['meena', (id: number) => services.team.change(actor, id, { role: 'staff' })],
  ] as const) {
    const { actor: second } = await build.colleague(actor, { role: 'admin', name });
    await services.team.invite(second, wish(`${name}.private@mail.in`, { role: 'admin' }));
    const token = await linkOf(world, `${name}.private@mail.in`);
    await end(second.userId);
    assert.is((await services.team.invitation(token, FROM)).state, 'over');
    await rejects(services.team.join(fields(token), FROM), 422);
    const { invitations, seats } = await services.team.view(actor);
    assert.is(invitations.find(({ email }) => email.startsWith(name))!.state, 'expired');
    assert.is(seats.invited, 0, 'it takes no seat');
    const { id } = await db('invitations')
      .where({ email: `${name}.private@mail.in` })
      .first('id');
    await services.team.sendAgain(actor, id);
    const renewed = await linkOf(world, `${name}.private@mail.in`);
    assert.is(
      (await services.team.invitation(renewed, FROM)).state,
      'open',
      'sent again by an admin it works',
    );
    await services.team.revoke(actor, id);
  }
});

test.run();
