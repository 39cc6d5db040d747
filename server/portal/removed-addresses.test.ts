import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomBytes } from 'node:crypto';
import { COOKIE } from '#server/sharing/contract.ts';
import type { Office } from '#server/sharing/testing/recipient.ts';
import { eachOffice } from '#server/sharing/testing/recipient.ts';
import { bytes } from '#server/testing/world.ts';

const test = suite<Office>('addresses that no longer open a client’s page');
eachOffice(test);

/** Opens the client's page with this address and begins a long download. @returns what reads the rest of it. */
async function begin(
  { services, address, deliverMail }: Office,
  { url, email, link }: { url: string; email: string; link: number },
) {
  const who = {
    token: url.slice(url.lastIndexOf('/') + 1),
    cookie: randomBytes(32).toString('base64url'),
    ip: '127.0.0.1',
    language: 'en' as const,
  };
  const { visitors } = services.portal;
  await visitors.requestCode(who, email);
  const sent = (await deliverMail()).findLast(({ kind }) => kind === 'portal.code')!;
  assert.ok(await visitors.verifyCode(who, sent.subject.slice(0, 6)));
  const visitor = { ...who, token: await visitors.passTo(who, link) };
  const grant = await services.sharing.recipients.begin(visitor, []);
  const headers = { cookie: `${COOKIE}=${who.cookie}` };
  const answered = await fetch(`${address}/s/${visitor.token}/get/${grant}`, { headers });
  assert.is(answered.status, 200);
  const reader = answered.body!.getReader();
  await reader.read();
  return async (): Promise<string> => {
    try {
      for (;;) if ((await reader.read()).done) return 'whole';
    } catch {
      return 'cut';
    }
  };
}

test('a running download ends when its address is removed from the page, and when the client gets another address or is deleted, since the session that started it is over', async (office) => {
  const { build, asha, services, share, blobs, db } = office;
  const client = await build.client(asha.actor, 'Sharma', {
    name: 'Sharma',
    client_type: 'Individual',
    email: 'owner@sharma.in',
  });
  const blob = await blobs.put(bytes(Buffer.alloc(24 * 1024 * 1024, 7)));
  const file = { name: 'large.bin.pdf', parent_id: null, client_id: client, blob };
  const { id } = await services.documents.addFile(asha.actor, file);
  const { id: link } = await share([id], { on_portal: true });
  const make = (...emails: string[]) =>
    services.portal.office.make(asha.actor, { client_id: client, emails });
  const { url } = await make('accounts@sharma.in', 'ca@sharma.in');

  const removed = await begin(office, { url, email: 'accounts@sharma.in', link });
  await make('ca@sharma.in');
  assert.is(await removed(), 'cut');
  const own = await begin(office, { url, email: 'owner@sharma.in', link });
  const added = await begin(office, { url, email: 'ca@sharma.in', link });
  await services.clients.update(asha.actor, client, { email: 'new@sharma.in' });
  assert.is(await own(), 'cut');
  await added();
  assert.equal(await db('portal_sessions').pluck('email'), ['ca@sharma.in'], 'others stay open');
  const last = await begin(office, { url, email: 'ca@sharma.in', link });
  await services.clients.remove(asha.actor, client);
  assert.is(await last(), 'cut');
  assert.equal(await db('portal_sessions').pluck('email'), []);
});

test.run();
