import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Office } from '../requests/testing/office.ts';
import { eachOffice } from '../requests/testing/office.ts';
import { senderActor } from './actor.ts';
import type { Door } from './contract.ts';

const test = suite<Office>('uploads by links in progress');
eachOffice(test);

const sender = { token: '', cookie: 'a browser', ip: '127.0.0.1' };
const tokenIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
const newId = (): string => randomBytes(8).toString('hex');

function begin({ services }: Office, door: Door, slot: number | null = null, id = newId()): Promise<void> {
  const fields: Record<string, string> = slot === null ? {} : { row: String(slot) };
  const upload = { id, name: 'a.pdf', size: 1000, fields };
  return services.collecting.uploadsOf(door, sender).begin(null, upload);
}
async function dropLink({ services, asha, client }: Office, max_files = 100) {
  const drop = await services.drops.make(asha.actor, { client_id: client, file_mb: 1, max_files });
  const door = await services.drops.senders.door({ ...sender, token: tokenIn(drop.url) });
  return { id: drop.id, door };
}
const reserved = ({ db }: Office): Promise<number[]> => db('storage_reservations').pluck('bytes');

test('uploads that begin at the same time do not exceed the limits of the link together, or they reserve all storage of the firm', async (office) => {
  const { door } = await dropLink(office, 5);
  const tries = await Promise.allSettled(Array.from({ length: 20 }, () => begin(office, door)));
  const codes = tries.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
  assert.equal(codes, Array(15).fill('too_many'));
  assert.is((await reserved(office)).length, 5);
});

test('a link that ends or gets a new address cancels its uploads, which would reserve storage for three more days', async (office) => {
  const { services, asha } = office;
  const { actor } = asha;
  const drop = await dropLink(office);
  const { office: requests, senders } = services.requests;
  const ask = async () => {
    const { id, url, rows } = await office.ask(['Form 16'], { send: false });
    return { id, rows, door: await senders.door({ ...sender, token: tokenIn(url) }) };
  };
  const own = { name: 'Own.pdf', size: 77, fields: {} };
  await services.resumable.begin(actor, { ...own, id: newId() });
  const [renewed, closed, removed, other] = [await ask(), await ask(), await ask(), await ask()];
  const requestsAsked = [renewed, closed, removed, other];
  await begin(office, drop.door);
  for (const { door, rows } of requestsAsked) await begin(office, door, rows[0]!);
  const left = async () => (await reserved(office)).length;
  assert.is(await left(), 6);
  await services.drops.renew(actor, drop.id);
  assert.is(await left(), 5, 'renewed drop link');
  await begin(office, drop.door);
  await services.drops.revoke(actor, drop.id);
  assert.is(await left(), 5, 'revoked drop link');
  await requests.renew(actor, renewed.id);
  assert.is(await left(), 4, 'renewed request');
  await requests.close(actor, closed.id, true);
  assert.is(await left(), 3, 'closed request');
  await requests.remove(actor, removed.id);
  assert.equal((await reserved(office)).toSorted(), [1000, 77], 'deleted request');
  const late = await begin(office, drop.door).catch((error: unknown) => error as { code: string });
  assert.is(late?.code, 'link_gone', 'a request of a visitor that was admitted before the end');
});

async function requestDoor(office: Office, rows: string[]) {
  const { id, url, rows: slots } = await office.ask(rows, { send: false });
  const door = await office.services.requests.senders.door({ ...sender, token: tokenIn(url) });
  return { id, door, slots };
}

test('whatever closes a link releases the storage of its uploads at once, and leaves what comes by others, or a firm would be full of files that never come', async (office) => {
  const { services, build, asha } = office;
  const { actor } = asha;
  const { office: requests } = services.requests;
  const drop = await dropLink(office);
  const [asked, complete, changed] = [
    await requestDoor(office, ['Form 16']),
    await requestDoor(office, ['Form 16', 'Bank statement']),
    await requestDoor(office, ['Form 16', 'Bank statement']),
  ];
  const other = await build.client(actor, 'Ravi Shah');
  const otherDrop = await services.drops.make(actor, { client_id: other, file_mb: 1, max_files: 9 });
  const otherDoor = await services.drops.senders.door({ ...sender, token: tokenIn(otherDrop.url) });
  await begin(office, otherDoor);
  for (const door of [drop.door, asked.door])
    await begin(office, door, door === drop.door ? null : asked.slots[0]!);
  for (const { door, slots } of [complete, changed]) await begin(office, door, slots[1]!);
  const left = async () => (await reserved(office)).length;
  const accept = (id: number, slot: number) =>
    requests.judge(actor, id, slot, { state: 'accepted', reason: '' });
  await accept(complete.id, complete.slots[0]!);
  assert.is(await left(), 5, 'a request of which something is missing');
  await accept(complete.id, complete.slots[1]!);
  assert.is(await left(), 4, 'a complete request');
  await accept(changed.id, changed.slots[0]!);
  const { title, note, due_on, language, email, reminders } = await requests.view(actor, changed.id);
  const rows = [{ id: changed.slots[0]!, name: 'Form 16' }];
  await requests.change(actor, changed.id, { title, note, due_on, language, email, reminders, rows });
  assert.is(await left(), 3, 'a request that is complete without what was asked for besides');
  await services.clients.remove(actor, office.client);
  assert.is(await left(), 1, 'a deleted client');
  await services.sharing.links.set(actor, { enabled: true, max_days: 20 });
  assert.is(await left(), 1, 'another setting');
  await services.sharing.links.set(actor, { enabled: false, max_days: 20 });
  assert.is(await left(), 0, 'sharing switched off');
});

test('uploads through a link that ended while the server stopped are cancelled after its start', async (office) => {
  const { services, db } = office;
  const { id, door } = await dropLink(office);
  await begin(office, door);
  assert.is(await services.collecting.anyClosed(), false);
  await db('drop_links').where({ id }).update({ revoked_at: new Date().toISOString() });
  assert.is(await services.collecting.anyClosed(), true);
  assert.is(await services.collecting.cancelClosed(), 1);
  assert.equal(await reserved(office), []);
});

test('an upload by a link that has received nothing is deleted within an hour, and one that has bytes can be resumed for days', async (office) => {
  const { services, asha, advance } = office;
  const { door } = await dropLink(office);
  const [empty, partial] = [newId(), newId()];
  await begin(office, door, null, empty);
  await begin(office, door, null, partial);
  await services.resumable.begin(asha.actor, { id: newId(), name: 'Own.pdf', size: 77, fields: {} });
  const actor = senderActor(door, sender.cookie);
  await services.resumable.append(actor, partial, 0, Readable.from([Buffer.from('%PDF')]));
  assert.is(await services.resumable.sweepDue(), false);
  advance(50 * 60_000);
  await services.resumable.progress(actor, empty).then(
    () => assert.unreachable(),
    (error) => assert.is(error.status, 404),
  );
  assert.is(await services.resumable.sweepDue(), true);
  assert.is(await services.resumable.sweep(), 1);
  assert.is((await services.resumable.progress(actor, partial)).received, 4);
  assert.equal((await reserved(office)).toSorted(), [1000, 77]);
});

test.run();
