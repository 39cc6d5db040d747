import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Upload } from 'tus-js-client';
import * as assert from 'uvu/assert';
import type { TestResponse } from '#server/testing/visitor.ts';
import { Visitor, bearer } from '#server/testing/visitor.ts';
import { nextPatchStarted } from './testing/patch-started.ts';
import type { Office } from './testing/office.ts';
import { metadata, officeSuite } from './testing/office.ts';

const test = officeSuite('/api/documents/resumable');

const TUS = { 'tus-resumable': '1.0.0' };
const PIECE = { ...TUS, 'content-type': 'application/offset+octet-stream' };
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const begin = (
  { visitor, token }: Office,
  size: number,
  fields: Record<string, string> = { filename: 'Audit.pdf' },
): Promise<TestResponse> =>
  visitor.post('/api/documents/resumable', undefined, {
    headers: { ...TUS, ...bearer(token), 'upload-length': String(size), 'upload-metadata': metadata(fields) },
  });
async function begun(office: Office, size: number, fields?: Record<string, string>): Promise<string> {
  const { status, headers, text } = await begin(office, size, fields);
  assert.is(status, 201, text);
  return headers.get('location')!;
}
const send = ({ visitor, token }: Office, path: string, offset: number, body: Buffer, as = token) =>
  visitor.call('PATCH', path, {
    body,
    headers: { ...PIECE, ...bearer(as), 'upload-offset': String(offset) },
  });
async function offsetOf({ visitor, token }: Office, path: string): Promise<number> {
  const { status, headers } = await visitor.call('HEAD', path, { headers: { ...TUS, ...bearer(token) } });
  assert.is(status, 200);
  assert.is(headers.get('cache-control'), 'no-store');
  return Number(headers.get('upload-offset'));
}
const stored = async ({ blobs }: Office) => {
  const ids: string[] = [];
  for await (const { id } of blobs.list()) ids.push(id);
  return ids;
};
const reservedBytes = async ({ db }: Office) =>
  Number((await db('storage_reservations').sum({ n: 'bytes' }).first())!.n ?? 0);

async function contentOf({ services, blobs, actor }: Office, id: number): Promise<Buffer> {
  const { blob_id } = await services.documents.openFile(actor, id);
  return buffer(await blobs.get(blob_id));
}

/** Begins a PATCH over a plain socket, sends `bytes` of its announced `length`, and hangs up once they have arrived. */
async function cut({ base, token }: Office, path: string, offset: number, bytes: Buffer, length: number) {
  const socket = connect(Number(new URL(base).port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const head = Object.entries({
    ...PIECE,
    ...bearer(token),
    host: 'x',
    'upload-offset': offset,
    'content-length': length,
  });
  const started = nextPatchStarted();
  socket.write(
    `PATCH ${path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  await new Promise((resolve) => socket.write(bytes, resolve));
  await started;
  await wait(100);
  socket.destroy();
}

test('tus-js-client uploads a file, and the last response names its item', async (office) => {
  const content = randomBytes(1_500_000);
  const folder = await office.build.folder(office.actor, 'GST');
  const answers: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(content, {
      endpoint: `${office.base}/api/documents/resumable`,
      headers: bearer(office.token),
      chunkSize: 600_000,
      metadata: {
        filename: 'लेखा परीक्षा.pdf',
        parent_id: String(folder.id),
        original_at: '2019-07-31T12:30:00.000Z',
      },
      onAfterResponse: (_request, response) => void answers.push(response.getBody()),
      onSuccess: () => resolve(),
      onError: reject,
    });
    upload.start();
  });
  const { data, message } = JSON.parse(answers.at(-1)!);
  assert.is(data.name, 'लेखा परीक्षा.pdf');
  assert.is(data.parent_id, folder.id);
  assert.is(data.file_size, content.length);
  assert.is(data.original_at, '2019-07-31T12:30:00.000Z');
  assert.is(message, 'लेखा परीक्षा.pdf uploaded');
  assert.ok((await contentOf(office, data.id)).equals(content));
  assert.is((await office.services.documents.openFile(office.actor, data.id)).sha256, sha256(content));
  assert.is(await reservedBytes(office), 0);
  await office.services.sweeper.drain();
  await office.services.sweeper.sweepOrphans({ grace: -60_000, force: true });
  assert.ok((await contentOf(office, data.id)).equals(content), 'the parts stay as long as the file does');
  await office.services.documents.remove(office.actor, [data.id]);
  await office.services.sweeper.drain();
  assert.equal(await stored(office), [], 'and go with it');
  assert.equal(await office.db('blob_parts'), []);
});

test('bytes received before a connection broke are kept, and the upload resumes after them', async (office) => {
  const content = randomBytes(900_000);
  const path = await begun(office, content.length);
  await cut(office, path, 0, content.subarray(0, 400_000), content.length);
  const offset = await offsetOf(office, path);
  assert.is(offset, 400_000);
  const { status, json, headers } = await send(office, path, offset, content.subarray(offset));
  assert.is(status, 200);
  assert.is(headers.get('upload-offset'), '900000');
  assert.ok((await contentOf(office, json.data.id)).equals(content));
});

test('a piece at a wrong offset is refused and changes nothing', async (office) => {
  const content = randomBytes(1000);
  const path = await begun(office, content.length);
  await send(office, path, 0, content.subarray(0, 400));
  for (const wrong of [0, 399, 401, 1000]) {
    const { status, json } = await send(office, path, wrong, content.subarray(0, 10));
    assert.is(status, 409, String(wrong));
    assert.is(json.code, 'wrong_offset');
  }
  const beyond = await send(office, path, 400, randomBytes(601));
  assert.is(beyond.status, 413);
  assert.match(beyond.json.message, 'longer than the upload said');
  assert.is(await offsetOf(office, path), 400);
  const { json } = await send(office, path, 400, content.subarray(400));
  assert.ok((await contentOf(office, json.data.id)).equals(content));
});

test('two senders of one upload never mix their bytes: the later one continues, the earlier one gets an error', async (office) => {
  const content = randomBytes(800_000);
  const path = await begun(office, content.length);
  const started = nextPatchStarted();
  const earlier = cut(office, path, 0, content.subarray(0, 300_000), content.length);
  await started;
  const offset = await offsetOf(office, path);
  const later = await send(office, path, offset, content.subarray(offset));
  await earlier;
  assert.is(later.status, 200);
  assert.ok((await contentOf(office, later.json.data.id)).equals(content));

  const other = await begun(office, content.length, { filename: 'b.pdf' });
  const both = await Promise.all([send(office, other, 0, content), send(office, other, 0, content)]);
  assert.ok(
    both.some(({ status }) => status === 200),
    both.map(({ text }) => text).join('\n'),
  );
  const file = both.find(({ status }) => status === 200)!;
  assert.ok((await contentOf(office, file.json.data.id)).equals(content));
  assert.is((await office.services.documents.folder(office.actor, null)).items.length, 2, 'made once');
});

test('a lost final response can be requested again, and no second file is created', async (office) => {
  const content = randomBytes(5000);
  const path = await begun(office, content.length);
  const { json } = await send(office, path, 0, content);
  assert.is(await offsetOf(office, path), 5000);
  const again = await office.visitor.get(path, { headers: bearer(office.token) });
  assert.is(again.json.data.id, json.data.id);
  assert.is((await office.services.documents.folder(office.actor, null)).items.length, 1);
  await office.services.documents.remove(office.actor, [json.data.id]);
  assert.is((await office.visitor.get(path, { headers: bearer(office.token) })).status, 404);
  assert.is(await offsetOf(office, path), 5000, 'it has arrived, and must not be sent again');
});

test('an upload fully received before the server stopped becomes a file when its offset is requested', async (office) => {
  const content = randomBytes(5000);
  const path = await begun(office, content.length);
  const { addFileWithin } = office.services.documents;
  office.services.documents.addFileWithin = () => Promise.reject(new Error('the machine went down'));
  assert.is((await send(office, path, 0, content)).status, 500);
  office.services.documents.addFileWithin = addFileWithin;
  assert.is(await offsetOf(office, path), 5000);
  const [item] = (await office.services.documents.folder(office.actor, null)).items;
  assert.ok((await contentOf(office, item!.id)).equals(content));
});

test('an upload that is being completed is not reported as cancelled, since its file appears anyway', async (office) => {
  const { resumable } = office.services;
  await resumable.begin(office.actor, { id: 'a', name: 'Empty.txt', size: 0, fields: {} });
  const { put } = office.blobs;
  let code = '';
  office.blobs.put = async (...call) => {
    await resumable.cancel(office.actor, 'a').catch((error) => (code = error.code));
    return put(...call);
  };
  const finished = await resumable.settle(office.actor, 'a');
  assert.equal([code, finished?.item.name], ['taking', 'Empty.txt']);
});

test('an upload of an empty file is complete at once', async (office) => {
  const { status, json } = await begin(office, 0, { filename: 'empty.txt' });
  assert.is(status, 201);
  assert.is(json.data.name, 'empty.txt');
  assert.is(json.data.file_size, 0);
});

test('a file that cannot be stored is refused before a byte is sent', async (office) => {
  const refused = async (size: number, fields: Record<string, string>, status: number, message: RegExp) => {
    const got = await begin(office, size, fields);
    assert.is(got.status, status, got.text);
    assert.match(got.json.message, message);
  };
  await refused(10, { filename: 'setup.exe' }, 422, /File type "exe" is not supported/);
  await refused(10, { parent_id: '', filename: 'README' }, 422, /not supported/);
  await refused(5_368_709_121, { filename: 'a.mp4' }, 413, /5GB/);
  await refused(10, { filename: 'a.pdf', parent_id: '999' }, 422, /folder does not exist/);
  await refused(10, { filename: 'a.pdf', client_id: 'x' }, 422, /client/);
  await refused(2 * 1024 ** 3, { filename: 'a.mp4' }, 422, /Not enough storage/);
  assert.is(await reservedBytes(office), 0);
});

test('unsupported parts of the protocol are refused with a message', async (office) => {
  const ask = (headers: Record<string, string>) =>
    office.visitor.post('/api/documents/resumable', undefined, {
      headers: {
        ...TUS,
        ...bearer(office.token),
        'upload-metadata': metadata({ filename: 'a.pdf' }),
        ...headers,
      },
    });
  const deferred = await ask({ 'upload-defer-length': '1' });
  assert.is(deferred.status, 400);
  assert.match(deferred.json.message, /Upload-Length/);
  for (const concat of ['partial', 'final;/api/documents/resumable/a /api/documents/resumable/b']) {
    const joined = await ask({ 'upload-length': '10', 'upload-concat': concat });
    assert.is(joined.status, 400);
    assert.match(joined.json.message, /Upload-Concat/);
  }
  assert.is(await reservedBytes(office), 0);
});

test('storage is reserved at the start, so that a started upload can be completed', async (office) => {
  const half = 600 * 1024 ** 2;
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, (_, n) => begin(office, half, { filename: `${n}.mp4` })),
  );
  assert.is(outcomes.filter(({ status }) => status === 201).length, 1);
  assert.is(await reservedBytes(office), half);
  const location = outcomes.find(({ status }) => status === 201)!.headers.get('location')!;
  const { status } = await office.visitor.call('DELETE', location, {
    headers: { ...TUS, ...bearer(office.token) },
  });
  assert.is(status, 204);
  assert.is(await reservedBytes(office), 0);
  assert.is((await begin(office, half, { filename: 'b.mp4' })).status, 201);
  await office.services.records.recover();
  assert.is(await reservedBytes(office), half, 'a restart keeps the promise');
});

test('the uploads of another firm and of a colleague are not found', async (office) => {
  const path = await begun(office, 100);
  const stranger = await office.build.account();
  for (const method of ['HEAD', 'PATCH', 'DELETE', 'GET']) {
    const { status } = await office.visitor.call(method, path, {
      headers: { ...PIECE, ...bearer(stranger.token), 'upload-offset': '0' },
      ...(method === 'PATCH' && { body: Buffer.alloc(10) }),
    });
    assert.is(status, 404, method);
  }
  assert.is(await offsetOf(office, path), 0);
  assert.is((await new Visitor(office.base).call('HEAD', path, { headers: TUS })).status, 401);
});

test('with the session cookie alone a request also needs the CSRF token', async (office) => {
  const browser = await new Visitor(office.base).arrive();
  const account = await office.build.account();
  await browser.post('/api/auth/login', { email: account.email, password: account.password });
  const headers = { ...TUS, 'upload-length': '3', 'upload-metadata': metadata({ filename: 'a.txt' }) };
  const good = await browser.post('/api/documents/resumable', undefined, { headers });
  assert.is(good.status, 201);
  const forged = await browser.post('/api/documents/resumable', undefined, {
    headers: { ...headers, 'x-xsrf-token': 'x' },
  });
  assert.is(forged.status, 419);
});

test('once an upload is reported complete its file exists, even if the last request was cut off', async (office) => {
  const path = await begun(office, 8);
  const all = Readable.from(Buffer.from('Bill.pdf'));
  await office.services.resumable.append(office.actor, path.split('/').at(-1)!, 0, all);
  assert.is(await offsetOf(office, path), 8);
  assert.is((await office.services.documents.folder(office.actor, null)).items[0]?.name, 'Audit.pdf');
});

test('signing out ends a running upload at its next part', async (office) => {
  const path = await begun(office, 1000);
  await send(office, path, 0, randomBytes(400));
  await office.visitor.post('/api/auth/logout', undefined, { headers: bearer(office.token) });
  assert.is((await send(office, path, 400, randomBytes(600))).status, 401);
});

test('an abandoned upload is deleted after three days, with its reservation and its bytes', async (office) => {
  const path = await begun(office, 1000);
  await send(office, path, 0, randomBytes(400));
  office.advance(3 * 24 * 3600_000 - 1);
  assert.is(await office.services.resumable.sweep(), 0);
  assert.is(await offsetOf(office, path), 400);
  office.advance(1);
  assert.is((await send(office, path, 400, randomBytes(600))).status, 404);
  assert.is(await office.services.resumable.sweep(), 1);
  assert.is(await reservedBytes(office), 0);
  await office.services.sweeper.drain();
  assert.equal(await stored(office), []);
});

test('a file received in one part is stored as that part, without a copy', async (office) => {
  const path = await begun(office, 1000);
  const content = randomBytes(1000);
  await send(office, path, 0, content.subarray(0, 999));
  const { data } = (await send(office, path, 999, content.subarray(999))).json;
  assert.ok((await contentOf(office, data.id)).equals(content));
  const single = await begun(office, 1000, { filename: 'One.pdf' });
  const { data: one } = (await send(office, single, 0, content)).json;
  assert.ok((await contentOf(office, one.id)).equals(content));
  assert.is((await office.services.documents.openFile(office.actor, one.id)).sha256, sha256(content));
  await office.services.sweeper.sweepOrphans({ grace: -60_000, force: true });
  assert.is((await stored(office)).length, 4, 'two parts with their list, and one file of one part');
});

test('the hash is right also when the server has lost the running sums', async (office) => {
  const path = await begun(office, 1000);
  const content = randomBytes(1000);
  await send(office, path, 0, content.subarray(0, 400));
  office.services.resumable.stop();
  const { data } = (await send(office, path, 400, content.subarray(400))).json;
  assert.is((await office.services.documents.openFile(office.actor, data.id)).sha256, sha256(content));
});

test('the parts of an unfinished upload are not swept as orphans', async (office) => {
  const path = await begun(office, 1000);
  await send(office, path, 0, randomBytes(400));
  assert.equal((await office.services.sweeper.orphans(-60_000)).ids, []);
});

test('an upload whose parts are lost gets an error, and no file is created', async (office) => {
  const path = await begun(office, 1000);
  await send(office, path, 0, randomBytes(400));
  // As after a restart: what was counted already has to be read again.
  office.services.resumable.stop();
  for (const id of await stored(office)) await office.blobs.delete(id);
  const { status, json } = await send(office, path, 400, randomBytes(600));
  assert.is(status, 410);
  assert.is(json.code, 'upload_lost');
  assert.is(await reservedBytes(office), 0);
  assert.equal((await office.services.documents.folder(office.actor, null)).items, []);
});

test('a name that is taken gets a number, or on request the upload replaces the file and the old content becomes a version', async (office) => {
  const upload = async (content: string, fields: Record<string, string>) => {
    const path = await begun(office, content.length, { filename: 'Form 16.pdf', ...fields });
    return (await send(office, path, 0, Buffer.from(content))).json.data;
  };
  const first = await upload('first', {});
  assert.is((await upload('second', {})).name, 'Form 16 (2).pdf');
  const third = await upload('third', { conflict: 'replace' });
  assert.is(third.name, 'Form 16.pdf');
  const { items } = await office.services.documents.folder(office.actor, null);
  assert.equal(
    items.map(({ name }) => name),
    ['Form 16.pdf', 'Form 16 (2).pdf'],
  );
  assert.is(third.id, first.id);
  assert.is(String(await contentOf(office, first.id)), 'third');
  assert.is((await office.services.versions.list(office.actor, first.id)).earlier[0]?.file_size, 5);
});

test('an archive is extracted if requested', async (office) => {
  const zip = Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64');
  const path = await begun(office, zip.length, { filename: 'a.zip', extract_zip: '1' });
  const { status, json } = await send(office, path, 0, zip);
  assert.is(status, 200);
  assert.type(json.extraction_id, 'number');
  const again = await office.visitor.get(path, { headers: bearer(office.token) });
  assert.ok(again.status === 404 || again.json.extraction_id === json.extraction_id);
});

test.run();
