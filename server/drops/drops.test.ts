import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SENDER_COOKIE } from '../collecting/contract.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

interface Office extends World {
  address: string;
}
const test = suite<Office>('a lasting link by which a client sends anything');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.address = await office.serve();
});
test.after.each(async (office) => {
  office.services.collecting.stop();
  await office.close();
});

/** Sends files by the form of the page. @returns where that leads. */
async function send({ address, services }: Office, url: string, files: [string, string][], ours = true) {
  const token = url.slice(url.lastIndexOf('/') + 1);
  const cookie = randomBytes(32).toString('base64url');
  const page = await services.drops.senders.page({ token, cookie, ip: '127.0.0.1' });
  const form = new FormData();
  form.set('form', ours && page.state === 'open' ? page.form : 'x');
  for (const [name, content] of files) form.append('file', new Blob([content]), name);
  const answered = await fetch(`${address}/d/${token}/files`, {
    method: 'POST',
    body: form,
    headers: { cookie: `${SENDER_COOKIE}=${cookie}` },
    redirect: 'manual',
  });
  return new URL(answered.headers.get('location')!, address).searchParams.get('said');
}

test("what is sent lands new in the client's folder, overwrites nothing, and its maker is told once", async (office) => {
  const { services, build, post } = office;
  const { actor } = await build.account();
  const client_id = await build.client(actor);
  const drop = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 5 });
  assert.match(drop.qr, '<svg');
  assert.is(await send(office, drop.url, [['a.txt', 'one']]), 'arrived');
  assert.is(await send(office, drop.url, [['a.txt', 'two']]), 'arrived');
  assert.is(await send(office, drop.url, [['a.txt', 'three']], false), 'not_ours');
  assert.is(await send(office, drop.url, [['big.txt', 'x'.repeat(1024 * 1024 + 1)]]), 'file_too_large');
  assert.is(await send(office, drop.url, [['evil.pdf', 'MZ' + 'x'.repeat(200)]]), 'program');
  const [folder] = (await services.documents.folder(actor, null, { client_id })).items;
  assert.is(folder!.name, 'Received');
  const inside = (await services.documents.folder(actor, folder!.id)).items.map(({ name }) => name);
  assert.equal(inside, ['a.txt', 'a (2).txt']);
  const told = (await post()).filter(({ kind }) => kind === 'drop.received');
  assert.is(told.length, 1);
  const [now] = await services.drops.list(actor, { client: client_id });
  assert.is(now!.received, 2);
});

test('its number of files is an end, and a revoked, renewed or other address leads nowhere', async (office) => {
  const { services, build } = office;
  const { actor } = await build.account();
  const client_id = await build.client(actor);
  const drop = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 1 });
  assert.is(await send(office, drop.url, [['a.txt', 'one']]), 'arrived');
  assert.is(await send(office, drop.url, [['b.txt', 'two']]), 'too_many');
  const same = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 9 });
  assert.is(same.url, drop.url, 'a client has one');
  const renewed = await services.drops.renew(actor, drop.id);
  assert.is(await send(office, drop.url, [['c.txt', 'three']]), 'link_gone');
  assert.is(await send(office, renewed.url, [['c.txt', 'three']]), 'arrived');
  await services.drops.revoke(actor, drop.id);
  assert.is(await send(office, renewed.url, [['d.txt', 'four']]), 'link_gone');
  const stranger = await build.account({ email: 'other@firm.in' });
  await services.drops.make(stranger.actor, { client_id, file_mb: 1, max_files: 1 }).then(
    () => assert.unreachable(),
    (error) => assert.is(error.status, 404),
  );
});

test.run();
