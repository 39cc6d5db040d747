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
