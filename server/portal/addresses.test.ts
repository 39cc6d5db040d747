import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { parse } from '#server/http/input.ts';
import { clientChange } from '#server/clients/contract.ts';
import { rejects } from '#server/testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

interface Office extends World {
  asha: Actor;
  client: number;
  /** Users who may share and edit clients, but not download without limit. */
  limited: Actor[];
}

const test = suite<Office>('addresses of client pages');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.asha = await office.build.actor();
  office.client = await office.build.client(office.asha, 'Sharma Traders', {
    name: 'Sharma Traders',
    client_type: 'Individual',
    pan: 'ZZZPS0000A',
    email: 'owner@sharma.in',
  });
  const { actor } = await office.build.colleague(office.asha, { role: 'manager' });
  office.limited = [
    { ...actor, permissions: actor.permissions.filter((one) => one !== 'documents.download') },
    { ...actor, dailyDownloads: 20 },
  ];
});
test.after.each((office) => office.close());

const emailOf = async ({ services, asha, client }: Office) =>
  (await services.clients.client(asha, client)).email;
const change = ({ services, client }: Office, actor: Actor, body: object) =>
  services.clients.update(actor, client, parse(clientChange, body));

test('a user who may not download without limit cannot change the e-mail address that opens a client’s page, since that user would read there what may not be downloaded', async (office) => {
  const { services, asha, client, limited } = office;
  const { id } = await services.portal.office.make(asha, { client_id: client, emails: [] });
  for (const actor of limited) {
    const error = await rejects(change(office, actor, { email: 'own@mail.in', city: 'Pune' }), 422);
    assert.is(error.code, 'page_address');
    assert.match(error.errors!.email![0]!, 'Ask an admin to change the address');
  }
  assert.is(await emailOf(office), 'owner@sharma.in');

  await change(office, limited[0]!, { city: 'Pune', email: 'owner@sharma.in' });
  await change(office, asha, { email: 'new@sharma.in' });
  await change(office, limited[0]!, { email: null });
  assert.is(await emailOf(office), null, 'an address that is only removed opens nothing');
  await services.portal.office.revoke(asha, id);
  await change(office, limited[0]!, { email: 'later@sharma.in' });
});

test('importing clients is no way around that, and says so in the preview', async (office) => {
  const { services, asha, client, limited } = office;
  await services.portal.office.make(asha, { client_id: client, emails: [] });
  const list = Buffer.from(
    'Name,PAN,Email\nSharma Traders,ZZZPS0000A,own@mail.in\nOther,ZZZPO0000A,other@mail.in',
  );
  const fields = ['name', 'pan', 'email'] as const;
  for (const actor of limited) {
    const { counts, rows } = await services.clients.import.preview(actor, list, fields);
    assert.equal([counts.create, counts.update, counts.error], [1, 0, 1]);
    assert.match(rows[0]!.errors.email![0]!, 'Ask an admin');
    const error = await rejects(services.clients.import.run(actor, list, fields), 422);
    assert.is(error.code, 'import_errors');
  }
  const done = await services.clients.import.run(limited[0]!, list, fields, { leave_out: true });
  assert.equal([done.created, done.updated, done.left_out], [1, 0, 1]);
  assert.is(await emailOf(office), 'owner@sharma.in');
  const byAdmin = await services.clients.import.run(asha, list, fields);
  assert.is(byAdmin.updated, 1);
});

test('such a user cannot open a new page either, since the address may have been changed before', async (office) => {
  const { services, client, limited } = office;
  for (const actor of limited) {
    await change(office, actor, { email: 'own@mail.in' });
    await rejects(services.portal.office.make(actor, { client_id: client, emails: [] }), 403);
  }
  assert.equal(await services.portal.office.list(office.asha), []);
});

test.run();
