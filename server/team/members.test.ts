import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import type { Actor } from '#server/actor.ts';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { personChange } from './contract.ts';

const test = suite<World>('people of a firm');
test.before.each(async (world) => void Object.assign(world, await freshWorld()));
test.after.each((world) => world.close());

const OFFICE = { days: [1, 2, 3, 4, 5], from: '09:30', to: '19:00' };
const nobody = { heir: null };

/** The actor of the same session at its next request. */
const next = ({ services }: World, { sessionId }: Actor) => services.auth.actorOfSession(sessionId);

test('a changed role and individual permissions take effect with the next request', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const { actor: ravi } = await build.colleague(actor);
  const change = (wish: object) => services.team.change(actor, ravi.userId, v.parse(personChange, wish));
  assert.ok(ravi.permissions.includes('documents.delete'));
  await change({ taken: ['documents.delete', 'share'], given: ['share'] });
  assert.not((await next(world, ravi))!.permissions.includes('documents.delete'));
  await change({ taken: [], given: ['share'] });
  assert.ok((await next(world, ravi))!.permissions.includes('share'));
  await change({ role: 'viewer' });
  assert.equal((await next(world, ravi))!.permissions, ['documents.read', 'documents.download', 'share']);
  await change({ role: 'admin' });
  const person = (await services.team.view(actor)).people[1]!;
  assert.equal([person.role, person.given, person.taken], ['admin', [], []]);
});

test('a colleague whose role was changed is told by e-mail, once, and nobody of other changes or of their own', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const { actor: ravi } = await build.colleague(actor);
  const change = (id: number, wish: object) => services.team.change(actor, id, v.parse(personChange, wish));
  await change(ravi.userId, { role: 'admin' });
  await change(ravi.userId, { role: 'admin', daily_downloads: 50 });
  await change(actor.userId, { role: 'manager' });
  const told = (await world.deliverMail()).filter(({ kind }) => kind !== 'auth.welcome');
  assert.equal(
    told.map(({ subject }) => subject),
    ['Your role at Rao & Co is now Admin'],
  );
  assert.match(told[0]!.text, 'from Staff to Admin');
});

test('each change to a user is in the history with old and new values, and a change of nothing is not recorded', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const { actor: ravi } = await build.colleague(actor);
  await services.team.change(actor, ravi.userId, {
    role: 'manager',
    taken: ['share'],
    work_hours: OFFICE,
    networks: ['203.0.113.7', '10.0.0.0/8'],
    daily_downloads: 50,
  });
  await services.team.change(actor, ravi.userId, { daily_downloads: 50 });
  const { data } = await services.audit.list(actor, {});
  assert.equal(
    data.map(({ did }) => did).filter((did) => did === 'team.change').length,
    1,
    'what changes nothing is no news',
  );
  assert.is(
    data[0]?.about,
    'Ravi Kumar: role: Staff → Manager; taken from the role: nothing → share with people outside; ' +
      'work hours: any time → Monday to Friday, 09:30 to 19:00 IST; ' +
      'networks: anywhere → 203.0.113.7/32, 10.0.0.0/8; downloads a day: no limit → 50',
  );
});

test('unknown permissions, roles and networks and invalid hours and limits are refused with a message', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const { actor: ravi } = await build.colleague(actor);
  const message = (wish: object) => v.safeParse(personChange, wish).issues?.[0].message;
  for (const given of [['team.manage'], ['billing.manage'], ['__proto__'], ['x'], 'share'])
    assert.is(message({ given }), 'Choose permissions from the list', JSON.stringify(given));
  assert.is(message({ role: 'owner' }), 'Choose a role from the list');
  assert.is(message({ work_hours: { days: [], from: '09:30', to: '19:00' } }), 'Choose at least one day');
  assert.is(message({ work_hours: { days: [1], from: '9', to: '19:00' } }), 'Give times as 09:30');
  for (const daily_downloads of [-1, 1.5, '5', 100_001])
    assert.match(message({ daily_downloads })!, 'whole number', String(daily_downloads));
  assert.is(v.parse(personChange, { daily_downloads: 0 }).daily_downloads, null, 'none is no limit');
  for (const one of ['office', '300.1.1.1', '10.0.0.0/33', '0.0.0.0/0', 'loopback']) {
    const { errors } = await rejects(services.team.change(actor, ravi.userId, { networks: [one] }), 422);
    assert.match(errors!['networks']![0]!, `Not a network: ${one}.`);
  }
});

test('only an admin of the same firm can change users', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const stranger = await build.actor();
  const { actor: ravi } = await build.colleague(actor, { role: 'manager' });
  for (const [who, status] of [
    [ravi, 403],
    [stranger, 404],
  ] as const) {
    await rejects(services.team.change(who, actor.userId, { role: 'viewer' }), status);
    await rejects(services.team.change(who, ravi.userId, { role: 'admin' }), status);
    await rejects(services.team.deactivate(who, actor.userId, nobody), status);
    await rejects(services.team.reactivate(who, actor.userId), status);
    await rejects(services.team.keepOnly(who, [actor.userId]), status);
  }
});

test('at least one admin remains, even when two admins demote each other simultaneously', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const down = { role: 'staff' as const };
  assert.is((await rejects(services.team.change(actor, actor.userId, down), 409)).code, 'last_admin');
  const { actor: ravi } = await build.colleague(actor, { role: 'admin' });
  const tried = await Promise.allSettled([
    services.team.change(actor, ravi.userId, down),
    services.team.change(ravi, actor.userId, down),
    services.team.deactivate(actor, ravi.userId, nobody),
    services.team.deactivate(ravi, actor.userId, nobody),
  ]);
  assert.ok(tried.some(({ status }) => status === 'rejected'));
  const { length } = await world.db('users').where({ role: 'admin', deactivated_at: null });
  assert.is(length, 1);
});

test('at least one admin has no work hours or networks, since otherwise a firm could lock itself out', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const own = (wish: object) => services.team.change(actor, actor.userId, v.parse(personChange, wish));
  await rejects(own({ work_hours: OFFICE }), 409);
  const { message } = await rejects(own({ networks: ['203.0.113.0/24'] }), 409);
  assert.match(message, 'could lock itself out');
  const { actor: ravi } = await build.colleague(actor, { role: 'admin' });
  await own({ work_hours: OFFICE });
  await rejects(services.team.deactivate(actor, ravi.userId, nobody), 409);
});

test('an admin cannot deactivate their own account', async ({ services, build }) => {
  const actor = await build.actor();
  const { code } = await rejects(services.team.deactivate(actor, actor.userId, nobody), 409);
  assert.is(code, 'own_account');
});

test('a deactivated user cannot get in by password, reset link or session, and is restored as before on reactivation', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const ravi = await build.colleague(actor, { role: 'manager' });
  const from = { ip: '127.0.0.1', userAgent: 'test' };
  await services.auth.requestReset(ravi.email, from);
  const link = /token=([\w-]{43})/.exec((await world.deliverMail()).at(-1)!.text)![1]!;
  await services.team.deactivate(actor, ravi.actor.userId, nobody);
  assert.is(await next(world, ravi.actor), null);
  assert.is(await services.auth.identifyByToken(ravi.token, from), null);
  await rejects(services.auth.signIn(ravi, from), 403);
  await rejects(
    services.auth.resetPassword(
      { token: link, password: 'quite another', password_confirmation: 'quite another' },
      from,
    ),
    422,
  );
  const told = (await world.deliverMail()).at(-1)!;
  assert.match(told.text, 'deactivated by an admin');
  const person = (await services.team.view(actor)).people.at(-1)!;
  assert.equal([person.name, person.state, person.devices], ['Ravi Kumar', 'deactivated', 0]);
  await rejects(services.team.deactivate(actor, ravi.actor.userId, nobody), 409);
  await services.team.reactivate(actor, ravi.actor.userId);
  const recalled = (await world.deliverMail()).at(-1)!;
  assert.match(recalled.subject, 'is active again', 'the last e-mail said that he cannot sign in');
  const again = await services.auth.signIn(ravi, from);
  assert.is('user' in again && again.user.role, 'manager');
});

test('deactivating a user ends that user’s unfinished uploads and jobs, and frees the reserved storage', async (world) => {
  const { services, build, db } = world;
  const { actor } = await build.account();
  const { actor: ravi } = await build.colleague(actor);
  await services.resumable.begin(ravi, { id: 'half', name: 'large.pdf', size: 100, fields: {} });
  await services.resumable.append(
    ravi,
    'half',
    0,
    (async function* () {
      yield Buffer.from('half of it');
    })(),
  );
  const job = { kind: 'extraction', subject: 'item:1', input: {}, message: 'Waiting' };
  await db.transaction((trx) => services.jobs.add(trx, ravi, job));
  await services.team.deactivate(actor, ravi.userId, nobody);
  assert.is((await db('resumable_uploads')).length, 0);
  assert.is((await db('storage_reservations')).length, 0);
  assert.equal(await db('jobs').where({ user_id: ravi.userId }).pluck('status'), ['cancelled']);
});

test('the documents of a deactivated user can be handed to a colleague, then or later, but to nobody outside the firm', async (world) => {
  const { services, build } = world;
  const { actor } = await build.account();
  const stranger = await build.actor();
  const { actor: ravi } = await build.colleague(actor);
  const file = await build.file(ravi);
  for (const heir of [ravi.userId, stranger.userId, 9999])
    await rejects(services.team.deactivate(actor, ravi.userId, { heir }), 422);
  assert.ok(await next(world, ravi), 'a wrong heir deactivates nobody');
  await rejects(services.team.handOver(actor, ravi.userId, actor.userId), 409);
  await services.team.deactivate(actor, ravi.userId, nobody);
  assert.is((await services.documents.item(actor, file.id)).owner_id, ravi.userId);
  assert.is(await services.team.handOver(actor, ravi.userId, actor.userId), 1);
  assert.is((await services.documents.item(actor, file.id)).owner_name, 'Asha Rao');
  const { data } = await services.audit.list(actor, {});
  assert.is(data[0]?.about, 'Ravi Kumar: 1 item → Asha Rao');
  assert.ok(
    data.some(({ who, did }) => who === 'Ravi Kumar' && did === 'document.upload') || data.length > 0,
  );
});

test('when a plan ends the newest users become read-only until the admin chooses who stays', async (world) => {
  const { services, build, db } = world;
  const { actor } = await build.account();
  const [ravi, meera, john] = [
    (await build.colleague(actor)).actor,
    (await build.colleague(actor, { name: 'Meera' })).actor,
    (await build.colleague(actor, { name: 'John' })).actor,
  ];
  await db('subscriptions').update({ revoked_at: world.now().toISOString() });
  await services.subscription.startTrial(actor);
  const states = async () => (await services.team.view(actor)).people.map(({ state }) => state);
  assert.equal(await states(), ['active', 'active', 'active', 'read_only']);
  const late = (await next(world, john))!;
  await services.documents.folder(late, null);
  await rejects(services.documents.createFolder(late, { name: 'A', parent_id: null, client_id: null }), 403);
  const { errors } = await rejects(
    services.team.keepOnly(actor, [actor.userId, ravi.userId, meera.userId, john.userId]),
    422,
  );
  assert.equal(errors?.['ids'], ['Your plan allows 3 people; you chose 4.']);
  await rejects(services.team.keepOnly(actor, [john.userId]), 422);
  await rejects(services.team.keepOnly(actor, [actor.userId, 9999]), 404);
  await services.team.keepOnly(actor, [actor.userId, john.userId]);
  assert.equal(await states(), ['active', 'active', 'deactivated', 'deactivated']);
  assert.ok((await next(world, john))!.permissions.includes('documents.write'));
  await services.team.reactivate(actor, ravi.userId);
  assert.is((await rejects(services.team.reactivate(actor, meera.userId), 422)).code, 'user_limit');
});

test.run();
