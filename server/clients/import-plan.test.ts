import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';
import { countActions, plan } from './import-plan.ts';
import type { Client } from './model.ts';

const test = suite<World & { actor: Actor }>('which clients the rows of an import are');
test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
  world.actor = await world.build.actor();
});
test.after.each((world) => world.close());

test('two rows that name one client by different numbers are not both imported, as the second would undo the first', async ({
  services: { clients },
  actor,
  build,
}) => {
  const id = await build.client(actor, 'Meera Iyer');
  await clients.update(actor, id, { pan: 'AAAPZ0000A', email: 'meera@example.in', city: 'Chennai' });
  const bytes = Buffer.from(
    'Name,PAN,Email,City,Status\nMeera Iyer,AAAPZ0000A,,Pune,Inactive\nMeera Iyer,,meera@example.in,Delhi,\n',
  );
  const { rows, columns } = await clients.import.preview(actor, bytes, null);
  assert.equal(
    rows.map(({ action, errors }) => [action, errors]),
    [
      ['update', {}],
      ['error', { email: ['The same client is on line 2'] }],
    ],
  );
  const fields = columns.map(({ field }) => field);
  await clients.import.run(actor, bytes, fields, { leave_out: true });
  const { city, status } = await clients.client(actor, id);
  assert.equal([city, status], ['Pune', 'Inactive']);
  assert.equal(await clients.recount(), []);
});

test('of a row that updates a client each change is shown, and one that would give a client the name of a relative with the same address is marked', async ({
  services: { clients },
  actor,
  build,
}) => {
  const meera = await build.client(actor, 'Meera Iyer', { email: 'iyer@example.in', phone: '9840054321' });
  await build.client(actor, 'Rao and Sons', { pan: 'AAAFZ0000B', email: 'rao@example.in' });
  await build.client(actor, 'Asha Rao', { email: 'asha@example.in' });
  const bytes = Buffer.from(
    'Name,PAN,Email,Phone,Notes\nKiran Iyer,,iyer@example.in,9840011111,\nRao & Sons,AAAFZ0000B,,,Old file\nASHA RAO,,asha@example.in,,\n',
  );
  const { rows, columns } = await clients.import.preview(actor, bytes, null);
  assert.equal(
    rows.map(({ action, renames, changes }) => [
      action,
      renames,
      changes.map(({ field, before, after }) => `${field}: ${before} > ${after}`),
    ]),
    [
      ['update', true, ['name: Meera Iyer > Kiran Iyer', 'phone: 9840054321 > 9840011111']],
      ['update', false, ['name: Rao and Sons > Rao & Sons', 'notes: null > Old file']],
      ['update', false, ['name: Asha Rao > ASHA RAO']],
    ],
  );
  const fields = columns.map(({ field }) => field);
  assert.equal(await clients.import.run(actor, bytes, fields, { skip: [2] }), {
    created: 0,
    updated: 2,
    unchanged: 0,
    left_out: 1,
  });
  assert.is((await clients.client(actor, meera)).name, 'Meera Iyer');
});

test('a row of a relative that is left out takes the client from no later row, which may be the client', async ({
  services: { clients },
  actor,
  build,
}) => {
  const anil = await build.client(actor, 'Anil Shah', { email: 'shah@example.in' });
  const bytes = Buffer.from(
    'Name,Email,Phone\nBina Shah,shah@example.in,\nAnil Shah,shah@example.in,9840011111\n',
  );
  const { rows, columns } = await clients.import.preview(actor, bytes, null);
  assert.equal(
    rows.map(({ action, renames }) => [action, renames]),
    [
      ['update', true],
      ['update', false],
    ],
  );
  const fields = columns.map(({ field }) => field);
  const both = await clients.import.run(actor, bytes, fields).catch(({ message }) => message);
  assert.match(both, 'Line 3: The same client is on line 2');
  await clients.import.run(actor, bytes, fields, { skip: [2] });
  assert.is((await clients.client(actor, anil)).phone, '9840011111');
});

test('a row without numbers that names a client is marked, or a second client of the name is made unseen', async ({
  services: { clients },
  actor,
  build,
}) => {
  await build.client(actor, 'Meera Iyer');
  await build.client(actor, 'Gupta & Gupta');
  const { rows } = await clients.import.preview(
    actor,
    Buffer.from('Name,City\nMEERA  IYER,Chennai\nAsha Rao,Pune\n"Asha\nRao",Pune\nGupta and Gupta,Pune\n'),
    null,
  );
  assert.equal(
    rows.map(({ name, action, namesake }) => [name, action, namesake]),
    [
      ['MEERA IYER', 'create', true],
      ['Asha Rao', 'create', false],
      ['Asha Rao', 'create', true],
      ['Gupta and Gupta', 'create', true],
    ],
  );
});

test('a list in which all clients have the e-mail address of the office is not compared each with each, since others wait', () => {
  const pan = (index: number) => `AAAFZ${String(index).padStart(4, '0')}A`;
  let read = 0;
  const known = Array.from({ length: 500 }, (_, index) => ({
    id: index + 1,
    name: `K ${index}`,
    email: 'office@rao.in',
    get pan() {
      read += 1;
      return pan(index);
    },
  })) as unknown as Client[];
  const cells = [
    ['Name', 'PAN', 'Email'],
    ...known.map(({ id }) => [`C ${id}`, pan(id + 500), 'office@rao.in']),
  ];
  const { rows } = plan(
    cells.map((row, index) => ({ line: index + 1, cells: row })),
    null,
    known,
  );
  assert.equal(countActions(rows), { create: 500, update: 0, same: 0, error: 0 });
  assert.ok(read < 20 * known.length, `${read} comparisons`);
});

test.run();
