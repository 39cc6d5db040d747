import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { fingerprint, newSecret } from '#server/http/secrets.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';

interface Office extends World {
  actor: Actor;
  client: number;
}

const test = suite<Office>('addresses after the master key was replaced');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.actor = await office.build.actor();
  office.client = await office.build.client(office.actor, 'Sharma Traders', { email: 'owner@sharma.in' });
});
test.after.each(async (office) => {
  office.services.collecting.stop();
  await office.close();
});

const tokenIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** Leaves in the table what the former key left: the hash of a token that the present key does not derive. @returns that token. */
async function asOfTheFormerKey({ db }: Office, table: 'drop_links' | 'portals'): Promise<string> {
  const token = newSecret();
  await db(table).update({ token_hash: fingerprint(token), former_hash: null });
  return token;
}

const who = { cookie: newSecret(), ip: '127.0.0.1' };

test('the drop link on a client’s page opens, and so does the printed one of before', async (office) => {
  const { services, actor, client } = office;
  await services.drops.make(actor, { client_id: client });
  const opens = async (token: string) => (await services.drops.senders.page({ token, ...who })).state;
  const printed = await asOfTheFormerKey(office, 'drop_links');
  const shown = tokenIn((await services.drops.pathFor(actor.firmId, client))!);
  assert.equal([await opens(shown), await opens(printed)], ['open', 'open']);
});

test('a drop link whose limits are changed is shown with an address that opens', async (office) => {
  const { services, actor, client } = office;
  await services.drops.make(actor, { client_id: client });
  await asOfTheFormerKey(office, 'drop_links');
  const { url } = await services.drops.make(actor, { client_id: client, max_files: 5 });
  assert.is((await services.drops.senders.page({ token: tokenIn(url), ...who })).state, 'open');
});

test('the address of a client’s page that is sent by e-mail opens the page', async (office) => {
  const { services, actor, client, deliverMail } = office;
  const { id } = await services.portal.office.make(actor, { client_id: client, emails: [] });
  await asOfTheFormerKey(office, 'portals');
  await services.portal.office.send(actor, id, { emails: ['owner@sharma.in'], language: 'en' });
  const sent = (await deliverMail()).find(({ to }) => to.address === 'owner@sharma.in')!;
  const [, token] = /\/c\/([\w-]{43})/.exec(sent.text)!;
  const visitor = { token: token!, ...who, language: 'en' as const };
  assert.is((await services.portal.visitors.page(visitor, false)).state, 'email');
});

test.run();
