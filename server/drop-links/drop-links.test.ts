import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { FORM_HEADER, SENDER_COOKIE } from '#server/collecting/contract.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld, memoryBlobs } from '#server/testing/world.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { StoreFull } from '#storage/blobs.ts';
import type { DropView } from './contract.ts';

interface Office extends World {
  address: string;
}
const DAY = 24 * 60 * 60_000;
const test = suite<Office>('drop links');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  office.address = await office.serve();
});
test.after.each(async (office) => {
  office.services.collecting.stop();
  await office.close();
});

/** Sends files by the form of the page. @returns the message code in the address it redirects to, or those of the refused files. */
async function send(
  { address, services }: Pick<Office, 'address' | 'services'>,
  url: string,
  files: [string, string][],
  ours = true,
) {
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
  const { searchParams } = new URL(answered.headers.get('location')!, address);
  return searchParams.get('said') ?? searchParams.getAll('refused').join();
}

/** The folder of received documents, in the only folder at the top. */
async function received({ services }: Office, actor: Actor, client_id: number) {
  const [home, ...others] = (await services.documents.folder(actor, null, { client_id })).items;
  assert.equal([home?.name, others], ['Sharma Traders', []]);
  const [folder] = (await services.documents.folder(actor, home!.id)).items;
  assert.is(folder?.name, 'Received');
  return folder;
}

test("files are stored in the client's folder without replacing any, and the creator of the link gets one e-mail", async (office) => {
  const { services, build, deliverMail } = office;
  const { actor } = await build.account();
  const client_id = await build.client(actor);
  const drop = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 5 });
  assert.match(drop.qr, '<svg');
  assert.is(await send(office, drop.url, [['a.txt', 'one']]), 'arrived');
  assert.is(await send(office, drop.url, [['a.txt', 'two']]), 'arrived');
  assert.is(await send(office, drop.url, [['a.txt', 'three']], false), 'not_ours');
  assert.is(await send(office, drop.url, [['big.txt', 'x'.repeat(1024 * 1024 + 1)]]), 'file_too_large');
  const evil: [string, string] = ['evil.pdf', `MZ\x90\0${'x'.repeat(200)}`];
  assert.is(await send(office, drop.url, [evil, ['empty.txt', '']]), 'program,empty', 'each is named');
  const folder = await received(office, actor, client_id);
  const inside = (await services.documents.folder(actor, folder!.id)).items.map(({ name }) => name);
  assert.equal(inside, ['a.txt', 'a (2).txt']);
  const told = (await deliverMail()).filter(({ kind }) => kind === 'drop.received');
  assert.is(told.length, 1);
  const [now] = await services.drops.list(actor, { client: client_id });
  assert.is(now!.received, 2);
});

test('a link shows how often and from where it was opened, and the list of links is paged and has no QR codes', async (office) => {
  const { services, build, address } = office;
  const { actor } = await build.account();
  const client_id = await build.client(actor);
  const other = await services.drops.make(actor, {
    client_id: await build.client(actor, 'Another'),
    file_mb: 1,
    max_files: 5,
  });
  const drop = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 5 });
  assert.equal([drop.opened, drop.last_opened_from], [0, null]);
  const token = drop.url.slice(drop.url.lastIndexOf('/') + 1);
  const cookie = randomBytes(32).toString('base64url');
  const page = await services.drops.senders.page({ token, cookie, ip: '127.0.0.1' });
  const open = (form: string) =>
    fetch(`${address}/d/${token}/open`, {
      method: 'POST',
      body: new URLSearchParams({ form }),
      headers: { cookie: `${SENDER_COOKIE}=${cookie}` },
      redirect: 'manual',
    });
  assert.is((await open('x')).status, 419);
  const form = page.state === 'open' ? page.form : '';
  assert.is((await open(form)).status, 303);
  await open(form);
  const [now] = await services.drops.list(actor, { client: client_id });
  assert.equal(
    [now!.opened, now!.last_opened_from],
    [1, 'The server itself'],
    'a page that is only fetched is none',
  );
  const all = await services.drops.list(actor);
  assert.equal(
    all.map(({ id, qr }) => [id, qr]),
    [drop.id, other.id].map((id) => [id, '']),
  );
  assert.equal(
    (await services.drops.list(actor, { before: drop.id })).map(({ id }) => id),
    [other.id],
  );
});

/** Sends a file over tus, in two parts. @returns the last response. */
async function upload({ address, services }: Office, url: string, name: string, content: string) {
  const token = url.slice(url.lastIndexOf('/') + 1);
  const cookie = randomBytes(32).toString('base64url');
  const headers = {
    cookie: `${SENDER_COOKIE}=${cookie}`,
    [FORM_HEADER]: services.collecting.formOf({ token, cookie }),
    accept: 'application/json',
    'tus-resumable': '1.0.0',
  };
  const begun = await fetch(`${address}/d/${token}/uploads`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(content.length),
      'upload-metadata': `filename ${btoa(name)}`,
    },
  });
  if (begun.status !== 201) return begun;
  const at = address + begun.headers.get('location')!;
  const patch = (from: number, to: number) =>
    fetch(at, {
      method: 'PATCH',
      body: content.slice(from, to),
      headers: {
        ...headers,
        'upload-offset': String(from),
        'content-type': 'application/offset+octet-stream',
      },
    });
  await patch(0, 4);
  const told = await fetch(at, { method: 'HEAD', headers });
  assert.is(told.headers.get('upload-offset'), '4', 'it goes on where it stopped');
  return patch(4, content.length);
}

test('an upload resumes where it stopped, and a link for papers accepts only PDFs and pictures, recognised by content', async (office) => {
  const { services, build } = office;
  const { actor } = await build.account();
  const client_id = await build.client(actor);
  const drop = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 9 });
  assert.is((await upload(office, drop.url, 'books.txt', 'one line')).status, 200);
  const changed = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 9, kinds: 'papers' });
  assert.is(changed.kinds, 'papers');
  const refused = await upload(office, drop.url, 'more.txt', 'another line');
  assert.equal([refused.status, ((await refused.json()) as { code: string }).code], [422, 'papers_only']);
  assert.is(await send(office, drop.url, [['b.txt', 'two']]), 'papers_only');
  assert.is(
    (await upload(office, drop.url, 'form', '%PDF-1.4 and more\n%%EOF')).status,
    200,
    'by what it is',
  );
  const folder = await received(office, actor, client_id);
  const inside = (await services.documents.folder(actor, folder!.id)).items.map(({ name }) => name);
  assert.equal(inside.toSorted(), ['books.txt', 'form.pdf']);
  assert.equal(await office.db('storage_reservations'), []);
});

test('a link accepts only its number of files, and a revoked or renewed address no longer works', async (office) => {
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

/** Sends a file by a link while the scanner is not reachable, calls `then`, and has an admin release the file. */
async function held(
  then: (office: Office & { actor: Actor; drop: DropView }) => Promise<unknown>,
  blobs: BlobStore = memoryBlobs(),
) {
  const away = await freshWorld({ blobs, clamd: { address: { path: '/nowhere/clamd.ctl' }, all: false } });
  try {
    const { services, build, db } = away;
    const { actor } = await build.account();
    const client_id = await build.client(actor);
    const drop = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 5 });
    const office = { ...away, address: await away.serve() };
    assert.is(await send(office, drop.url, [['a.txt', 'one']]), 'arrived');
    const { blob_id } = await db('arrivals').where({ state: 'held' }).first('blob_id');
    await then({ ...office, actor, drop });
    await services.scanning.release(actor, blob_id, { reason: 'A known client' });
    away.advance(2 * 60_000);
    await services.collecting.work();
    return (await services.documents.files(actor, {})).items.map(({ name, path }) => [name, path]);
  } finally {
    away.services.collecting.stop();
    await away.close();
  }
}

test('a file that was filed while a slow scan of it failed stays filed, instead of waiting for ever without bytes', async () => {
  let world: World | undefined;
  // A scanner that breaks off once another worker has filed the file.
  const scanner = createServer((socket) => {
    const filed = { state: 'filed', blob_id: null, reservation_id: null };
    void world!
      .db('arrivals')
      .update(filed)
      .finally(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(scanner, 'listening');
  const { port } = scanner.address() as AddressInfo;
  world = await freshWorld({ clamd: { address: { host: '127.0.0.1', port }, all: false } });
  try {
    const { actor } = await world.build.account();
    const client_id = await world.build.client(actor);
    const drop = await world.services.drops.make(actor, { client_id, file_mb: 1, max_files: 5 });
    await send({ ...world, address: await world.serve() }, drop.url, [['a.txt', 'one']]);
    assert.equal(await world.db('arrivals').pluck('state'), ['filed']);
  } finally {
    world.services.collecting.stop();
    await world.close();
    scanner.close();
  }
});

test('received files are stored in the drive even after the link is revoked and sharing is off, since they were confirmed', async () => {
  const files = await held(async ({ services, actor, drop }) => {
    await services.drops.revoke(actor, drop.id);
    await services.sharing.links.set(actor, { enabled: false, max_days: 30 });
  });
  assert.equal(files, [['a.txt', 'Sharma Traders / Received']]);
});

test('a clock set back by a day keeps no received file from the scanner or from the drive until the day is over', async () => {
  const files = await held(async ({ services, advance }) => {
    advance(-DAY);
    assert.ok(await services.scanning.waiting());
    assert.ok(await services.collecting.due());
    await services.collecting.work();
  });
  assert.equal(files, [['a.txt', 'Sharma Traders / Received']]);
});

test('a file whose bytes are missing, as while a disk is not mounted, waits for them and counts as lost only after a week', async () => {
  const blobs = memoryBlobs();
  let missing = false;
  const mounted = { ...blobs, has: async (id: string) => !missing && blobs.has(id) };
  const files = await held(async ({ services, advance, db, actor, drop }) => {
    missing = true;
    for (const days of [0, 2, 4]) {
      advance(days * DAY + 2 * 60_000);
      const message = await services.collecting.work().then(String, String);
      assert.match(message, /Of what was sent by links 1 cannot be filed.*Is the disk of the files mounted/);
    }
    await services.drops.revoke(actor, drop.id);
    await services.collecting.finish(`drop:${drop.id}`);
    assert.equal(await db('arrivals').pluck('state'), ['held']);
    missing = false;
  }, mounted);
  assert.equal(files, [['a.txt', 'Sharma Traders / Received']]);

  const none = await held(async ({ services, advance, db }) => {
    missing = true;
    advance(2 * 60_000);
    await services.collecting.work().catch(() => {});
    advance(8 * DAY);
    await services.collecting.work();
    assert.equal(await db('arrivals').select('state', 'reason'), [{ state: 'refused', reason: 'lost' }]);
  }, mounted);
  assert.equal(none, []);
});

test('a file that is sent again while the bytes of the first are missing is kept, since there may be no other', async () => {
  const blobs = memoryBlobs();
  let missing: string | null = null;
  const mounted = { ...blobs, has: async (id: string) => id !== missing && blobs.has(id) };
  await held(async (office) => {
    const { db, drop } = office;
    const states = () => db('arrivals').orderBy('id').pluck('state');
    assert.is(await send(office, drop.url, [['a.txt', 'one']]), 'arrived');
    assert.equal(await states(), ['held'], 'its bytes are there');
    missing = (await db('arrivals').first('blob_id')).blob_id;
    assert.is(await send(office, drop.url, [['a.txt', 'one']]), 'arrived');
    assert.equal(await states(), ['held', 'held']);
    missing = null;
  }, mounted);
});

test('a file from a client who was deleted in the meantime is stored without a client', async () => {
  const files = await held(async ({ services, actor, drop }) => {
    await services.clients.remove(actor, drop.client.id);
    await services.clients.forgetDeleted();
  });
  assert.equal(files, [['a.txt', '']]);
});

test('the creator of a link who no longer sees the client, or has left, is not notified of new files: an admin is instead', async (office) => {
  const { services, build, deliverMail, db, advance } = office;
  const asha = await build.account({ email: 'asha@firm.in' });
  const client_id = await build.client(asha.actor, 'Secret Mills');
  const ravi = await build.colleague(asha.actor, { role: 'manager', client_scope: 'assigned' });
  const { userId } = ravi.actor;
  await db('user_clients').insert({ user_id: userId, client_id });
  const drop = await services.drops.make(ravi.actor, { client_id, file_mb: 1, max_files: 9 });
  const told = async () =>
    (await deliverMail()).filter(({ kind }) => kind === 'drop.received').map(({ to }) => to.address);
  await send(office, drop.url, [['a.txt', 'one']]);
  assert.equal(await told(), [ravi.email]);
  await db('user_clients').where({ user_id: userId }).delete();
  advance(7 * 60 * 60_000);
  await send(office, drop.url, [['b.txt', 'two']]);
  assert.equal(await told(), [ravi.email, 'asha@firm.in']);
  await db('users').where({ id: userId }).update({ client_scope: 'all', deactivated_at: '2026-11-20' });
  advance(7 * 60 * 60_000);
  await send(office, drop.url, [['c.txt', 'three']]);
  assert.equal(await told(), [ravi.email, 'asha@firm.in', 'asha@firm.in']);
});

test('the office is told of new files also when the clock was set back by a day, not only when the day is over', async (office) => {
  const { services, build, deliverMail, advance } = office;
  const { actor } = await build.account();
  const client_id = await build.client(actor);
  const drop = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 9 });
  await send(office, drop.url, [['a.txt', 'one']]);
  advance(-DAY);
  await send(office, drop.url, [['b.txt', 'two']]);
  const told = async () => (await deliverMail()).filter(({ kind }) => kind === 'drop.received').length;
  assert.is(await told(), 2);
  advance(-5000);
  await send(office, drop.url, [['c.txt', 'three']]);
  assert.is(await told(), 2, 'but not twice where the clock of another machine is some seconds behind');
});

test('a full disk is said on the page of a browser without script, which would show a bare text', async (office) => {
  const { build, services, blobs } = office;
  const { actor } = await build.account();
  const client_id = await build.client(actor);
  const { url } = await services.drops.make(actor, { client_id, file_mb: 1, max_files: 5 });
  blobs.put = () => Promise.reject(new StoreFull());
  assert.is(await send(office, url, [['a.txt', 'a']]), 'fault');
});

test.run();
