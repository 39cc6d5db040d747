import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { EventStream } from '../testing/event-stream.ts';
import { openEventStream } from '../testing/event-stream.ts';
import { Visitor, bearer } from '../testing/visitor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

interface Account {
  actor: Actor;
  token: string;
  email: string;
  password: string;
}
interface Office extends World {
  base: string;
  asha: Account;
  open(account: Pick<Account, 'token'>, lastId?: string): Promise<EventStream>;
  streams: EventStream[];
}

const test = suite<Office>('events');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld(), { streams: [] });
  office.base = await office.serve();
  office.asha = await office.build.account();
  office.open = async ({ token }, lastId) => {
    const stream = await openEventStream(office.base, {
      ...bearer(token),
      ...(lastId && { 'last-event-id': lastId }),
    });
    office.streams.push(stream);
    return stream;
  };
});
test.after.each(async (office) => {
  for (const stream of office.streams) stream.close();
  await office.close();
});

/** Another device of the same user, whose session is its own. */
async function another({ base }: Office, { email, password }: Account): Promise<Account> {
  const visitor = await new Visitor(base).arrive();
  const { json } = await visitor.post('/api/auth/login', { email, password });
  return { token: json.data.token, email, password, actor: json.data.user };
}

test('a change is sent to listeners, in a stream that proxies neither buffer nor compress', async (office) => {
  const { asha, build } = office;
  const phone = await office.open(await another(office, asha));
  assert.is(phone.status, 200);
  assert.is(phone.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.is(phone.headers['x-accel-buffering'], 'no');
  assert.match(phone.headers['cache-control'] ?? '', /no-transform/);
  assert.is(phone.headers['content-encoding'], undefined);
  await phone.next('ready');
  const folder = await build.folder(asha.actor, 'Secret name');
  const { data } = await phone.next('change');
  assert.equal(data, [{ kind: 'items', items: [folder.id], parents: [null], clients: [0] }]);
  assert.not.match(JSON.stringify(phone.received), /Secret/);
});

test('a change is not sent to the session that made it by a request, and is sent to all others', async (office) => {
  const phone = await another(office, office.asha);
  const [own, other] = [await office.open(office.asha), await office.open(phone)];
  const visitor = new Visitor(office.base);
  await visitor.post('/api/documents/folder', { name: 'One' }, { headers: bearer(office.asha.token) });
  await other.next('change');
  await visitor.post('/api/documents/folder', { name: 'Two' }, { headers: bearer(phone.token) });
  await own.next('change');
  assert.is(own.received.filter(({ event }) => event === 'change').length, 1);
});

test('a change that is rolled back is not sent', async (office) => {
  const phone = await office.open(await another(office, office.asha));
  await phone.next('ready');
  const { services, db, asha, build } = office;
  await db
    .transaction(async (trx) => {
      await services.audit.record(trx, { actor: asha.actor, did: 'client.create', subject: 'client:9' });
      throw new Error('undone');
    })
    .catch(() => {});
  await build.folder(asha.actor);
  assert.is((await phone.next('change')).data[0].kind, 'items');
});

test('a change is not sent to another firm', async (office) => {
  const { build, asha } = office;
  const strangers = await build.account();
  const stream = await office.open(strangers);
  await build.folder(asha.actor);
  await build.folder(strangers.actor, 'own');
  const { data } = await stream.next('change');
  const own = await office.db('items').where({ firm_id: strangers.actor.firmId }).pluck('id');
  assert.equal(data[0].items, own);
});

test('a listener that reconnects receives missed events once, and one with an unknown last event id receives a reset', async (office) => {
  const { asha, build } = office;
  const phone = await another(office, asha);
  const [first, witness] = [await office.open(phone), await office.open(asha)];
  const { id } = await first.next('ready');
  first.close();
  await first.closed;
  const folder = await build.folder(asha.actor, 'meanwhile');
  // Changes are combined and sent a little later, so wait until they are.
  await witness.next('change');
  const second = await office.open(phone, id!);
  const missed = await second.next('change');
  assert.equal(missed.data[0].items, [folder.id]);
  await second.next('ready');
  assert.is(second.received.length, 2);
  const third = await office.open(phone, missed.id!);
  await third.next('ready');
  assert.is(third.received.length, 1, 'nothing was missed');
  // The first character is changed, since only two bits of the last one count.
  for (const old of ['nonsense', `${id!.startsWith('A') ? 'B' : 'A'}${id!.slice(1)}`, 'A'.repeat(46)]) {
    const late = await office.open(phone, old);
    await late.next('reset');
  }
});

test('a thousand simultaneous changes are combined into two events', async (office) => {
  const { asha, services } = office;
  const phone = await office.open(await another(office, asha));
  await phone.next('ready');
  for (let n = 0; n < 1000; n += 1)
    services.events.publish(asha.actor.firmId, [
      { kind: 'items', items: [n], parents: [n % 3], clients: [0] },
    ]);
  await phone.next('change');
  const { data } = await phone.next('change');
  assert.equal(data[0].parents.toSorted(), [0, 1, 2]);
  assert.not('items' in data[0], 'so many may be any');
  assert.is(phone.received.filter(({ event }) => event === 'change').length, 2);
});

test('signing out ends the streams of that session only, and signing out everywhere those of all sessions', async (office) => {
  const phone = await another(office, office.asha);
  const [own, other] = [await office.open(office.asha), await office.open(phone)];
  await new Visitor(office.base).post('/api/auth/logout', undefined, { headers: bearer(phone.token) });
  assert.is((await other.next('end')).data, 'signed_out');
  await other.closed;
  await office.services.auth.signOutAll(office.asha.actor);
  assert.is((await own.next('end')).data, 'signed_out');
  assert.is((await office.open(office.asha)).status, 401);
});

test('the sweep ends the streams of a user who was disabled', async (office) => {
  const own = await office.open(office.asha);
  await own.next('ready');
  await office.services.events.sweep();
  await office.db('users').update({ deactivated_at: office.now().toISOString() });
  await office.services.events.sweep();
  assert.is((await own.next('end')).data, 'signed_out');
});

test('a change of permissions is sent to the open tabs of the user', async (office) => {
  const { asha, db, services } = office;
  const own = await office.open(asha);
  await own.next('ready');
  await db('users').where({ id: asha.actor.userId }).update({ role: 'viewer', permissions: '[]' });
  await services.audit.recordAlone({ actor: asha.actor, did: 'team.role' });
  await own.next('session');
});

test('a user with assigned clients receives events of these, of items moved to or from them, and no others', async (office) => {
  const { asha, build, db, services } = office;
  const [own, foreign] = [await build.client(asha.actor, 'Own'), await build.client(asha.actor, 'Foreign')];
  const ravi = await build.colleague(asha.actor, { client_scope: 'assigned' });
  await db('user_clients').insert({ user_id: ravi.actor.userId, client_id: own });
  const stream = await office.open(ravi);
  await stream.next('ready');
  // Without the event about the plan that was just bought, which everybody receives.
  const changes = () =>
    stream.received
      .filter(({ event }) => event === 'change')
      .flatMap(({ data }) => data)
      .filter(({ kind }) => kind !== 'plan');
  await build.file(asha.actor, { name: 'hidden.pdf', client_id: foreign });
  await build.file(asha.actor, { name: 'nobody’s.pdf' });
  await services.clients.update(asha.actor, foreign, { city: 'Pune' });
  const file = await build.file(asha.actor, { name: 'seen.pdf', client_id: own });
  while (changes().length === 0) await stream.next('change');
  assert.equal(changes(), [{ kind: 'items', clients: [own] }]);
  await services.documents.setClient(asha.actor, file.id, { client_id: foreign });
  await stream.next('change');
  assert.equal(changes()[1], { kind: 'items', clients: [own] }, 'that it is gone is told, and not where to');
});

test('a stream without a session is refused with 401, and HEAD gets a response immediately', async (office) => {
  const stream = await openEventStream(office.base, {});
  assert.is(stream.status, 401);
  const head = await new Visitor(office.base).call('HEAD', '/api/events', {
    headers: bearer(office.asha.token),
  });
  assert.is(head.status, 200);
});

test('when a user opens more than 30 streams, the oldest one is ended', async (office) => {
  const first = await office.open(office.asha);
  await first.next('ready');
  for (let n = 0; n < 30; n += 1) await (await office.open(office.asha)).next('ready');
  assert.is((await first.next('end')).data, 'crowded');
  assert.is(office.services.events.openConnections(), 30);
});

test('when the server stops every stream ends immediately, and new ones are refused with 503', async (office) => {
  const own = await office.open(office.asha);
  await own.next('ready');
  office.services.events.stop();
  assert.is((await own.next('end')).data, 'stopping');
  await own.closed;
  assert.is((await office.open(office.asha)).status, 503);
});

test('a user receives an event when a job of that user is queued and when it ends', async (office) => {
  const { asha, services } = office;
  const own = await office.open(asha);
  await own.next('ready');
  services.jobs.register('quick', { attempts: 1, run: async () => ({ message: 'Done.' }) });
  const job = { kind: 'quick', subject: 'test', input: {}, message: 'Waiting' };
  await office.db.transaction((trx) => services.jobs.add(trx, asha.actor, job));
  assert.equal((await own.next('change')).data, [{ kind: 'jobs' }]);
  await services.jobs.runDue('quick');
  assert.equal((await own.next('change')).data, [{ kind: 'jobs' }]);
});

test.run();
