import { randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rejects } from '#server/testing/rejects.ts';
import { CONTENT_TYPE, filePart, multipart } from '#server/testing/multipart.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import type { Door } from './contract.ts';
import { receiveForm } from './receive.ts';

interface Office extends World {
  door: Door;
  firmId: number;
}
const test = suite<Office>('plain forms of visitors');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const { services, build } = office;
  const { actor } = await build.account();
  const client_id = await build.client(actor);
  const { url } = await services.drops.make(actor, { client_id, file_mb: 5, max_files: 100 });
  const token = url.slice(url.lastIndexOf('/') + 1);
  office.door = await services.drops.senders.door({ token, cookie: '', ip: '127.0.0.1' });
  office.firmId = actor.firmId;
});
test.after.each(async (office) => {
  office.services.collecting.stop();
  await office.close();
});

const MB = 1024 * 1024;
const formOf = (files: number) =>
  multipart([
    { name: 'form', body: 'ours' },
    ...Array.from({ length: files }, (_, n) =>
      filePart(`${n}.txt`, Buffer.alloc(MB, randomBytes(8).toString('hex'))),
    ),
  ]);
const asRequest = (body: Readable) =>
  Object.assign(body, {
    headers: { 'content-type': CONTENT_TYPE },
    setTimeout: () => {},
    complete: true,
  }) as never;
function* cut(all: Buffer): Generator<Buffer> {
  for (let start = 0; start < all.length; start += 64 * 1024) yield all.subarray(start, start + 64 * 1024);
}
const take = ({ services, door }: Office, body: Readable): Promise<string> =>
  services.collecting
    .takeForm(door, { ip: '127.0.0.1', slot: null }, asRequest(body), () => {})
    .then(
      (files) => files.map((file) => ('code' in file ? file.code : 'taken')).join(),
      (error) => error.code as string,
    );
/** Leaves the firm so many bytes of its plan. */
async function leave({ services, db, firmId, now }: Office, bytes: number): Promise<void> {
  const taken = (await services.documents.free(db, firmId)) - bytes;
  const made_at = now().toISOString();
  await db('storage_reservations').insert({ id: 1, firm_id: firmId, bytes: taken, lasting: true, made_at });
}

test('a quotation mark in a file name, which browsers write as an escape, is stored as in other uploads', async (office) => {
  const form = multipart([
    { name: 'form', body: 'ours' },
    filePart('Rent %22final%22 100%25.pdf', '%PDF-1.7'),
  ]);
  assert.is(await take(office, Readable.from([form])), 'taken');
  assert.equal(await office.db('items').where({ type: 'file' }).pluck('name'), ['Rent _final_ 100%25.pdf']);
});

test('a form that cannot be read is refused as such, and is no fault of the server', async (office) => {
  const named = multipart([filePart('a\0.txt')]);
  assert.is(await take(office, Readable.from([named])), 'bad_request');
  const { headers, ...rest } = asRequest(Readable.from([formOf(1)])) as { headers: Record<string, string> };
  const unbounded = Object.assign(rest, { headers: { ...headers, 'content-type': 'multipart/form-data' } });
  const admit = async () => {};
  const form = receiveForm(unbounded as never, {
    blobs: office.blobs,
    admit,
    piece: () => {},
    fileBytes: MB,
  });
  await rejects(form, 400);
});

test('too many files are refused as such, also with the reasons of a hundred documents, so that the page says what to do', async (office) => {
  const reasons = Array.from({ length: 100 }, (_, row) => ({ name: `reason-${row}`, body: '' }));
  // Browsers send a part for each field without a file too.
  const files = Array.from({ length: 501 }, () => filePart('', ''));
  const form = multipart([{ name: 'form', body: 'ours' }, ...reasons, ...files]);
  assert.is(await take(office, Readable.from([form])), 'too_large');
  const fits = multipart([{ name: 'form', body: 'ours' }, ...reasons, ...files.slice(50)]);
  assert.is(await take(office, Readable.from([fits])), '');
});

test('a form is refused once it is larger than what is left of the plan of the firm, or it would fill the disk of all firms', async (office) => {
  await leave(office, 2 * MB);
  assert.is(await take(office, Readable.from(cut(formOf(6)))), 'cannot_receive');
  assert.equal(await Array.fromAsync(office.blobs.list()), [], 'nothing of it is left');
  assert.is(await take(office, Readable.from(cut(formOf(1)))), 'taken');
});

test('the bytes of a form count for others until they are recorded, or two forms get the same bytes', async (office) => {
  await leave(office, 3 * MB);
  const whole = formOf(3);
  const slow = new PassThrough();
  const first = take(office, slow);
  for (const piece of cut(whole.subarray(0, -100)))
    if (!slow.write(piece)) await new Promise((resolve) => slow.once('drain', resolve));
  assert.is(await take(office, Readable.from(cut(formOf(2)))), 'cannot_receive');
  slow.end(whole.subarray(-100));
  assert.is(await first, 'taken,taken,taken');
  await office.db('storage_reservations').where({ id: 1 }).delete();
  assert.is(
    await take(office, Readable.from(cut(formOf(2)))),
    'taken,taken',
    'what was refused counts no more',
  );
});

test('a form whose bytes trickle in is given up and its files are deleted, since nobody could clear them away meanwhile', async ({
  blobs,
}) => {
  let elapsed = 0;
  const times = mock.method(performance, 'now', () => elapsed);
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    const body = new PassThrough();
    const admit = async () => {};
    const form = receiveForm(asRequest(body), { blobs, admit, piece: () => {}, fileBytes: 5 * MB });
    const refused = form.then(
      () => 'received',
      (error) => error.code as string,
    );
    const whole = formOf(2);
    body.write(whole.subarray(0, 300_000));
    elapsed = 4 * 60_000;
    mock.timers.tick(60_000);
    await new Promise(setImmediate);
    body.write(whole.subarray(300_000, 300_001));
    elapsed = 11 * 60_000;
    mock.timers.tick(60_000);
    assert.is(await refused, 'stalled');
    assert.equal(await Array.fromAsync(blobs.list()), []);
  } finally {
    mock.timers.reset();
    times.mock.restore();
  }
});

test.run();
