import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '../actor.ts';
import { assign, colleague } from '../testing/colleague.ts';
import { rejects } from '../testing/rejects.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

interface Office extends World {
  asha: Actor;
  ravi: Actor;
  id: number;
}
const test = suite<Office>('simultaneous edits of a client');
test.before.each(async (office) => {
  const world = await freshWorld();
  const asha = await world.build.actor();
  const ravi = await colleague(world, asha, { clientScope: 'all', permissions: ['clients.write'] });
  Object.assign(office, world, { asha, ravi, id: await world.build.client(asha, 'Sharma') });
});
test.after.each((office) => office.close());

test('saving an outdated version is refused with the name of who changed the client, or "You" for one’s own change', async ({
  services: { clients },
  asha,
  ravi,
  id,
}) => {
  const save = (phone: string) => rejects(clients.update(asha, id, { phone, version: 1 }), 409);
  await clients.update(ravi, id, { city: 'Pune', version: 1 });
  assert.is(
    (await save('9000000000')).message,
    'Ravi Kumar changed this client a moment ago. Your changes are not saved.',
  );
  await clients.update(asha, id, { city: 'Nashik', version: 2 });
  assert.ok((await save('9000000000')).message.startsWith('You changed this client a moment ago.'));
});

test('a deleted client is reported with the name of who deleted it, only to colleagues who could see the client', async (office) => {
  const { services, asha, ravi, id, build } = office;
  const limited = await colleague(office, asha, { permissions: ['clients.write'] });
  await assign(office, limited, []);
  await services.clients.remove(ravi, id);
  const told = 'This client was deleted by Ravi Kumar a moment ago.';
  assert.is((await rejects(services.clients.client(asha, id), 404)).message, told);
  assert.is((await rejects(services.clients.update(asha, id, { city: 'Pune' }), 404)).message, told);
  for (const other of [limited, await build.actor()])
    assert.is(
      (await rejects(services.clients.client(other, id), 404)).message,
      'This client does not exist, or you have no access to it.',
    );
});

test.run();
