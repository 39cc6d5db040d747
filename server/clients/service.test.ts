import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from '../http/input.ts';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import type { ClientInput } from './contract.ts';
import { clientChange, clientInput, clientWarnings } from './contract.ts';

const test = suite<World>('clients');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
});
test.after.each((world) => world.close());

const input = (body: object) => parse(clientInput, body);
const wrong = (body: object) =>
  rejects(
    Promise.resolve().then(() => input(body)),
    422,
  );

test('a client needs only a name, and empty fields are stored as null', async ({
  services: { clients },
  build,
}) => {
  const actor = await build.actor();
  const made = await clients.create(
    actor,
    input({ name: '  Sharma Traders ', email: '', phone: null, city: ' ' }),
  );
  const { name, email, phone, city, client_type, status, version } = made;
  assert.equal([name, email, phone, city], ['Sharma Traders', null, null, null]);
  assert.equal([client_type, status, version], ['Individual', 'Active', 1]);
  assert.equal((await clients.list(actor)).data, [made]);
  assert.equal(await clients.options(actor), [{ value: made.id, label: 'Sharma Traders' }]);
  for (const gstin of ['29AAACZ0000A1Z5', '27AAACZ0000A1Z9'])
    await clients.create(actor, input({ name: 'SHARMA TRADERS', city: 'Pune', pan: 'AAACZ0000A', gstin }));
  assert.equal(
    (await clients.options(actor)).map(({ label, note }) => [label, note]),
    [
      ['SHARMA TRADERS', 'Pune · 29AAACZ0000A1Z5'],
      ['SHARMA TRADERS', 'Pune · 27AAACZ0000A1Z9'],
      ['Sharma Traders', undefined],
    ],
    'a colleague given one of them by their names may see the wrong one',
  );
});

test('all invalid fields are reported together', async () => {
  const error = await wrong({
    name: ' ',
    email: 'x',
    phone: '123',
    client_type: 'Club',
    status: 'Gone',
    pan: 'AAADZ0000A',
    gstin: '27AAAPZ0000Q1ZM',
    tan: 'DEL',
    cin: 'U0',
    born_on: '2026-02-30',
    notes: 'x'.repeat(4001),
    city: 7,
  });
  const fields = 'born_on cin city client_type email gstin name notes pan phone status tan';
  assert.is(
    Object.keys(error.errors ?? {})
      .toSorted()
      .join(' '),
    fields,
  );
  assert.is(error.message, 'Name is required');
  assert.match(error.errors?.gstin?.[0] ?? '', 'check digit');
});

test('a name may contain markup, since it is shown as text, but no control characters or bidirectional overrides', async () => {
  assert.is(input({ name: '<b>Rao</b> & =1+1' }).name, '<b>Rao</b> & =1+1');
  for (const name of ['Rao\u202Efdp', 'a\u0000b', 'x'.repeat(201), 5, ['a']]) await wrong({ name });
});

test('identifiers are stored in normalised form', () => {
  const { pan, gstin, cin } = input({
    name: 'x',
    pan: ' aaapz 0000a',
    gstin: '27aaapz0000q1zl',
    cin: 'aaa–0000',
  });
  assert.equal([pan, gstin, cin], ['AAAPZ0000A', '27AAAPZ0000Q1ZL', 'AAA-0000']);
});

test('a phone number with an Indian prefix is stored as ten digits, and one with a wrong number of digits is refused', async () => {
  for (const phone of ['+91 98200 12345', '91-9820012345', '098200 12345', '98200 12345'])
    assert.is(input({ name: 'x', phone }).phone, '9820012345', phone);
  for (const phone of ['044-2345678', '+1 415 555 2671', '022 4000 1234'])
    assert.is(input({ name: 'x', phone }).phone, phone);
  for (const phone of ['+91 98200 1234', '91 98200 123456'])
    assert.equal((await wrong({ name: 'x', phone })).errors, {
      phone: ['A number with +91 has 10 digits after it'],
    });
});

test('a PAN or GSTIN that does not fit the client type or the PAN causes a warning, not a refusal', () => {
  const told = (client_type: ClientInput['client_type'], pan: string, gstin: string | null = null) =>
    Object.keys(clientWarnings({ client_type, pan, gstin })).join();
  assert.is(told('Individual', 'AAAPZ0000A'), '');
  assert.is(told('HUF', 'AAAHZ0000C'), '');
  assert.is(told('Individual', 'AAAHZ0000C'), 'pan');
  for (const type of ['Firm', 'LLP'] as const) assert.is(told(type, 'AAAFZ0000B'), '');
  assert.is(told('Society', 'AAATZ0000B'), '');
  assert.is(told('Individual', 'ZZZCZ0000Z'), 'pan');
  assert.is(told('Company', 'AAAPZ0000A'), 'pan');
  assert.is(told('Firm', 'AAAFZ0000B', '29AAACZ0000A1Z5'), 'gstin');
});

test('an Aadhaar number in the notes is stored masked, since it may not be shown in full', async ({
  services,
  db,
  build,
}) => {
  const actor = await build.actor();
  const typed = 'UID 9999 4105 7058, spouse 9999.4105.7058';
  const { notes } = await services.clients.create(actor, input({ name: 'x', notes: typed }));
  assert.is(notes, 'UID XXXX XXXX 7058, spouse XXXX.XXXX.7058');
  assert.not.match(JSON.stringify(await db('clients').select()), '4105');
});

test('clients are sorted without regard to case and accents and by numeric value, and are listed only within their firm', async ({
  services: { clients },
  build,
}) => {
  const [actor, other] = [await build.actor(), await build.actor()];
  for (const name of ['unit 10', 'Unit 2', 'álpha', 'Beta']) await clients.create(actor, input({ name }));
  const names = (await clients.list(actor)).data.map(({ name }) => name);
  assert.equal(names, ['álpha', 'Beta', 'Unit 2', 'unit 10']);
  assert.equal((await clients.list(other)).data, []);
});

test('a search finds clients by name, e-mail address, phone and identifiers, in any order of words', async ({
  services: { clients },
  build,
}) => {
  const actor = await build.actor();
  await build.client(actor, 'Meera Iyer', {
    email: 'meera@example.in',
    phone: '+91 98400 54321',
    pan: 'AAAPZ0000A',
    city: 'Pune',
  });
  await build.client(actor, '100% Cotton_Mills', { client_type: 'Company', gstin: '29AAACZ0000A1Z5' });
  const found = async (search: string) =>
    (await clients.list(actor, { search })).data.map(({ name }) => name).join();
  for (const search of ['iyer meera', 'EXAMPLE.in', '9840054321', '98400 54', 'aaapz0000a', 'meera aaapz'])
    assert.is(await found(search), 'Meera Iyer', search);
  for (const search of ['100%', 'n_m', '29aaacz', 'AAACZ0000A'])
    assert.is(await found(search), '100% Cotton_Mills', search);
  assert.is(await found('pune meera'), 'Meera Iyer', 'the list shows the city');
  assert.equal(await clients.lookUp(actor, 'pune', 8), [], 'a client is not sought by it elsewhere');
  await build.client(actor, 'Nukta', { city: '\u095Bीरा' });
  await build.client(actor, 'Colon', { city: 'PANJÍM Goa' });
  assert.is(await found('\u091C\u093Cीरा'), 'Nukta', 'keyboards write one letter in two ways');
  for (const search of ['panjim', 'Panjím goa']) assert.is(await found(search), 'Colon', search);
  for (const search of ['%', '_']) assert.is(await found(search), '100% Cotton_Mills', search);
  assert.is(await found('nobody'), '');
});

test('pages of the list have no gaps or duplicates, in every sort order and with filters', async ({
  services: { clients },
  build,
  advance,
}) => {
  const actor = await build.actor();
  for (let index = 0; index < 25; index += 1) {
    advance(1000);
    await build.client(actor, `Client ${index % 7}`, {
      city: index % 3 === 0 ? null : `City ${index % 4}`,
      status: index % 5 === 0 ? 'Inactive' : 'Active',
    });
  }
  for (const sort of ['name', 'city', 'added', 'changed'] as const) {
    for (const direction of ['asc', 'desc'] as const) {
      const query = { sort, direction, status: 'Active' as const };
      const whole = (await clients.list(actor, { ...query, limit: 200 })).data.map(({ id }) => id);
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof clients.list>> = await clients.list(actor, {
          ...query,
          limit: 6,
          ...(cursor && { cursor }),
        });
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor);
      assert.is(whole.length, 20);
      assert.equal(seen, whole, `${sort} ${direction}`);
    }
  }
});

test('without a limit the list has all clients, like that of documents, and with a cursor all that follow', async ({
  services: { clients },
  build,
}) => {
  const actor = await build.actor();
  for (let n = 0; n < 74; n += 1) await build.client(actor, `Client ${n}`);
  const all = await clients.list(actor);
  assert.is(all.data.length, 74);
  assert.is(all.next_cursor, null);
  const first = await clients.list(actor, { limit: 10 });
  assert.is(first.data.length, 10);
  const rest = await clients.list(actor, { cursor: first.next_cursor! });
  assert.equal([...first.data, ...rest.data], all.data);
  assert.is(rest.next_cursor, null);
});

test('an invalid cursor, or one of another sort order, is refused with 422', async ({
  services: { clients },
  build,
}) => {
  const actor = await build.actor();
  for (const name of ['a', 'b']) await build.client(actor, name);
  const { next_cursor } = await clients.list(actor, { limit: 1 });
  for (const cursor of [
    '',
    'x',
    next_cursor! + 'AA',
    Buffer.from('["name","asc","",{},1]').toString('base64url'),
  ])
    await rejects(clients.list(actor, { cursor }), 422);
  await rejects(clients.list(actor, { cursor: next_cursor!, sort: 'city' }), 422);
});

test('of two users who edit the same version of a client, the second is refused with client_changed, and nothing is overwritten', async ({
  services: { clients },
  build,
}) => {
  const actor = await build.actor();
  const id = await build.client(actor, 'Rao');
  await clients.update(actor, id, parse(clientChange, { name: 'Rao & Sons', version: 1 }));
  const error = await rejects(
    clients.update(actor, id, parse(clientChange, { city: 'Pune', version: 1 })),
    409,
  );
  assert.is(error.code, 'client_changed');
  const { name, city, version } = await clients.client(actor, id);
  assert.equal([name, city, version], ['Rao & Sons', null, 2]);
});

test('fields that a change leaves out keep their values, as in calls of programs that know only six fields', async ({
  services: { clients },
  build,
}) => {
  const actor = await build.actor();
  const id = await build.client(actor, 'Rao', { pan: 'AAAPZ0000A' });
  const six = {
    name: 'Rao',
    email: 'r@example.in',
    phone: '',
    client_type: 'Individual',
    city: 'Pune',
    status: 'Inactive',
  };
  const { pan, city, phone } = await clients.update(actor, id, parse(clientChange, six));
  assert.equal([pan, city, phone], ['AAAPZ0000A', 'Pune', null]);
});

test('deleting a client keeps its files and detaches them from it', async ({
  services: { clients, documents },
  build,
}) => {
  const actor = await build.actor();
  const id = await build.client(actor);
  const file = await build.file(actor, { client_id: id });
  const nothingEnds = { requests: 0, open_requests: 0, drop_link: false, page: false, refused: null };
  assert.equal(await clients.tied(actor, id), { files: 1, folders: 0, ...nothingEnds });
  assert.equal(await clients.remove(actor, id), { untied: 1 });
  assert.is((await documents.item(actor, file.id)).client_id, null);
  await rejects(clients.client(actor, id), 404);
  await rejects(clients.update(actor, id, { name: 'x' }), 404);
});

test('the running totals of clients equal a recount after each change', async ({
  services: { clients },
  build,
}) => {
  const actor = await build.actor();
  const first = await build.client(actor, 'a');
  const second = await build.client(actor, 'b', { client_type: 'Company', status: 'Inactive' });
  await clients.update(actor, first, { client_type: 'Company' });
  assert.equal(await clients.totals(actor), { total: 2, active: 1, companies: 2 });
  await clients.remove(actor, second);
  assert.equal(await clients.totals(actor), { total: 1, active: 1, companies: 1 });
  assert.equal(await clients.recount(), []);
});

test('a client of another firm is a 404; reading and writing without permission are refused with 403', async ({
  services: { clients },
  build,
}) => {
  const [actor, other] = [await build.actor(), await build.actor()];
  const id = await build.client(actor);
  await rejects(clients.client(other, id), 404);
  await rejects(clients.tied(other, id), 404);
  await rejects(clients.update(other, id, { name: 'x' }), 404);
  await rejects(clients.remove(other, id), 404);
  const reader = build.limited(actor, ['documents.read']);
  await rejects(clients.update(reader, id, { name: 'x' }), 403);
  await rejects(clients.remove(reader, id), 403);
  await rejects(clients.create(reader, input({ name: 'x' })), 403);
  await rejects(clients.list(build.limited(actor, ['billing.manage'])), 403);
});

test('the history has an entry for each change of a client, without the values of fields', async ({
  services: { clients },
  build,
  db,
}) => {
  const actor = await build.actor();
  const id = await build.client(actor, 'Rao');
  await clients.update(actor, id, parse(clientChange, { pan: 'AAAPZ0000A' }));
  const trail = await db('audit_events').where('did', 'like', 'client.%').select('did', 'detail');
  assert.equal(
    trail.map(({ did }) => did),
    ['client.create', 'client.update'],
  );
  assert.not.match(JSON.stringify(trail), 'AAAPZ');
});

test.run();
