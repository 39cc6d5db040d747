import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from './testing/office.ts';
import { eachOffice, sender } from './testing/office.ts';

const test = suite<Office>('requests that end with their client');
eachOffice(test);

test('before a client is deleted the requests and links that end with it are counted, and the history keeps what the client answered', async (office) => {
  const { services, asha, client, address } = office;
  const first = await office.ask(['Form 16', 'Rent agreement'], { title: 'ITR papers' });
  const second = await office.ask(['GST returns'], { title: 'GST' });
  await services.requests.office.close(asha.actor, second.id, true);
  await sender(office, address, first.url).send(`/rows/${first.rows[0]}/unavailable`, {
    reason: 'My employer has closed',
  });
  await services.drops.make(asha.actor, { client_id: client });
  await services.portal.office.make(asha.actor, { client_id: client, emails: [] });
  const { requests, open_requests, drop_link, page } = await services.clients.tied(asha.actor, client);
  assert.equal([requests, open_requests, drop_link, page], [2, 1, true, true]);

  await services.clients.remove(asha.actor, client);
  await services.clients.forgetDeleted();
  const { data } = await services.audit.list(asha.actor, {});
  const told = (did: string) => data.filter((entry) => entry.did === did).map(({ about }) => about);
  assert.equal(told('request.delete').toSorted(), ['GST', 'ITR papers']);
  assert.equal(told('request.unavailable'), ['Form 16: My employer has closed']);
});

test.run();
