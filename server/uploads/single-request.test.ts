import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import type { TestResponse } from '#server/testing/visitor.ts';
import { bearer } from '#server/testing/visitor.ts';
import type { Office } from './testing/office.ts';
import { metadata, officeSuite } from './testing/office.ts';

const test = officeSuite('uploads that are whole with the request that begins them');

const headersFor = (token: string, size: number, fields: Record<string, string>) => ({
  'tus-resumable': '1.0.0',
  'content-type': 'application/offset+octet-stream',
  'upload-length': String(size),
  'upload-metadata': metadata({ filename: 'Audit.pdf', parent_id: '', ...fields }),
  ...bearer(token),
});
const send = (
  { visitor, token }: Office,
  body: Buffer,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  visitor.post('/api/documents/resumable', body, {
    headers: { ...headersFor(token, body.length, fields), ...headers },
  });
/** The same request without a Content-Length, so that it is handled like an upload in several requests. */
async function sendUnsaid({ base, token }: Office, body: Buffer, fields: Record<string, string> = {}) {
  const response = await fetch(`${base}/api/documents/resumable`, {
    method: 'POST',
    headers: headersFor(token, body.length, fields),
    body: ReadableStream.from([new Uint8Array(body)]),
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) };
}
const stored = async ({ blobs }: Office) => (await Array.fromAsync(blobs.list())).map(({ id }) => id);
const files = async ({ services, actor }: Office) =>
  (await services.documents.folder(actor, null)).items.map(({ name }) => name);

test('an upload in one request is answered exactly like one in several, and its state can be queried as well', async (office) => {
  const content = randomBytes(50_000);
  const fields = { original_at: '2019-07-31T12:30:00.000Z', upload_key: randomUUID() };
  const long = await sendUnsaid(office, content, { ...fields, filename: 'Long.pdf' });
  const short = await send(office, content, { ...fields, filename: 'Short.pdf', upload_key: randomUUID() });
  assert.equal([short.status, short.headers.get('upload-offset')], [201, '50000'], short.text);
  const seen = ({ status, headers, json }: Omit<TestResponse, 'text'>) => {
    const kept = Object.fromEntries(headers);
    for (const own of ['date', 'x-request-id', 'etag', 'content-length', 'location']) delete kept[own];
    const { id, name, same_content, ...data } = json.data;
    return { status, kept, ...json, data, said: [typeof id, typeof name], message: json.message.slice(-9) };
  };
  assert.equal(seen(short), seen(long));
  assert.match(short.headers.get('location')!, /^\/api\/documents\/resumable\/[0-9a-f]{32}$/);
  assert.is(short.json.data.same_content.name, 'Long.pdf');
  assert.is(short.json.data.original_at, '2019-07-31T12:30:00.000Z');
  const { blob_id, sha256 } = await office.services.documents.openFile(office.actor, short.json.data.id);
  assert.is(sha256, createHash('sha256').update(content).digest('hex'));
  assert.ok((await buffer(await office.blobs.get(blob_id))).equals(content));

  const path = short.headers.get('location')!;
  const asked = { headers: { 'tus-resumable': '1.0.0', ...bearer(office.token) } };
  assert.is((await office.visitor.call('HEAD', path, asked)).headers.get('upload-offset'), '50000');
  assert.is((await office.visitor.get(path, asked)).json.data.id, short.json.data.id);
  assert.equal(await office.db('storage_reservations'), []);
  assert.equal(await office.db('resumable_parts'), []);
});

test('a NUL in what is declared, which PostgreSQL cannot store, is left out, in one request and in several', async (office) => {
  await send(office, Buffer.from('one'), { filename: 'One\0.pdf', upload_key: randomUUID() });
  await sendUnsaid(office, Buffer.from('several'), { filename: 'Several\0.pdf' });
  assert.equal(await files(office), ['One.pdf', 'Several.pdf']);
});

test('repeating an upload whose reply was lost creates no second file: its key gives the same file, also to simultaneous requests', async (office) => {
  const content = randomBytes(9000);
  const key = randomUUID();
  const all = await Promise.all(
    Array.from({ length: 5 }, () => send(office, content, { upload_key: key, filename: 'Scan.pdf' })),
  );
  assert.ok(all.some(({ status }) => status === 201));
  assert.ok(
    all.every(({ status }) => [200, 201, 409].includes(status)),
    all.map(({ text }) => text).join('\n'),
  );
  const again = await send(office, content, { upload_key: key.toUpperCase(), filename: 'Scan.pdf' });
  const { id } = all.find(({ status }) => status === 201)!.json.data;
  assert.equal([again.status, again.json.data.id], [200, id]);
  assert.equal(await files(office), ['Scan.pdf']);
  assert.is((await stored(office)).length, 1, 'what came for nothing is gone');
  await office.services.documents.remove(office.actor, [id]);
  assert.is((await send(office, content, { upload_key: key })).json.data, null, 'deleted since');
});

test('an upload that was started in several requests continues when the same key sends the file in one', async (office) => {
  const key = randomUUID();
  const begun = await office.visitor.post('/api/documents/resumable', undefined, {
    headers: headersFor(office.token, 4, { upload_key: key }),
  });
  assert.is(begun.status, 201);
  const whole = await send(office, Buffer.from('scan'), { upload_key: key });
  assert.equal(
    [whole.status, whole.headers.get('location'), whole.json.data.id],
    [201, begun.headers.get('location'), begun.headers.get('location')!.split('/').at(-1)],
  );
  assert.equal(await files(office), []);
});

test('a connection that breaks midway leaves nothing, and the file can be sent again', async (office) => {
  const content = randomBytes(300_000);
  const key = randomUUID();
  const socket = connect(Number(new URL(office.base).port), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const head = Object.entries(headersFor(office.token, content.length, { upload_key: key }));
  socket.write(
    `POST /api/documents/resumable HTTP/1.1\r\nHost: x\r\nContent-Length: ${content.length}\r\n${head
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );
  const { store } = office.services.uploads;
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  office.services.uploads.store = (...all) => {
    begun.resolve();
    const storing = store(...all);
    storing.catch(ended.resolve);
    return storing;
  };
  socket.write(content.subarray(0, 200_000));
  await begun.promise;
  socket.destroy();
  assert.is(((await ended.promise) as { code?: string }).code, 'cut_off');
  await until(async () => (await stored(office)).length === 0);
  assert.equal(await office.db('resumable_uploads'), []);
  assert.is((await send(office, content, { upload_key: key })).status, 201);
  assert.equal(await files(office), ['Audit.pdf']);
});

test('if the user signs out during the upload, it is refused with 401 and nothing is kept', async (office) => {
  const { store } = office.services.uploads;
  office.services.uploads.store = async (...all) => {
    const blob = await store(...all);
    await office.visitor.post('/api/auth/logout', undefined, { headers: bearer(office.token) });
    return blob;
  };
  assert.is((await send(office, randomBytes(1000))).status, 401);
  assert.equal(await stored(office), []);
  assert.equal(await files(office), []);
});

test('an upload that states its SHA-256 is not stored again in a folder with that content, and is refused if its bytes differ', async (office) => {
  const content = randomBytes(3000);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const folder = await office.build.folder(office.actor, 'Scans');
  const into = (fields: Record<string, string>, body = content) =>
    send(office, body, { parent_id: String(folder.id), sha256, upload_key: randomUUID(), ...fields });
  const first = await into({ filename: 'Bill.pdf' });
  assert.is(first.status, 201, first.text);
  const second = await into({ filename: 'Copy of it.pdf' });
  const { id } = first.json.data;
  assert.equal([second.status, second.json.data], [200, { id, name: 'Bill.pdf' }]);
  assert.is((await into({ parent_id: '' })).status, 201, 'in that very folder');
  const other = await into({ filename: 'Other.pdf', sha256: 'a'.repeat(64) });
  assert.equal([other.status, other.json.code], [422, 'wrong_content']);
  assert.is((await into({ sha256: 'none' })).status, 422);
  assert.is((await office.services.documents.folder(office.actor, folder.id)).items.length, 1);
  assert.is((await stored(office)).length, 2);
});

test('a file that cannot be stored is refused, and so is a request outside the protocol', async (office) => {
  const refused = async (got: Promise<TestResponse>, status: number, message: RegExp) => {
    const { json, text, ...rest } = await got;
    assert.is(rest.status, status, text);
    assert.match(json.message, message);
  };
  const body = randomBytes(100);
  await refused(send(office, body, { filename: 'setup.exe' }), 422, /File type "exe" is not supported/);
  await refused(send(office, body, { parent_id: '999' }), 422, /folder does not exist/);
  await refused(send(office, body, { path: '../x' }), 422, /"\.\."/);
  await refused(send(office, body, { upload_key: 'no-uuid' }), 422, /UUID/);
  await refused(send(office, body, {}, { 'tus-resumable': '0.2.2' }), 400, /tus-resumable/);
  await refused(send(office, body, {}, { 'upload-metadata': 'filename YS5wZGY' }), 400, /upload-metadata/);
  await refused(send(office, body, {}, { 'upload-metadata': 'a YQ==,a YQ==' }), 400, /upload-metadata/);
  assert.equal(await stored(office), []);
  assert.equal(await office.db('resumable_uploads'), []);
});

test('after an internal error no bytes remain, and the same key starts again', async (office) => {
  const { addFile } = office.services.documents;
  office.services.documents.addFile = () => Promise.reject(new Error('the machine went down'));
  const key = randomUUID();
  assert.is((await send(office, randomBytes(1000), { upload_key: key })).status, 500);
  assert.equal(await stored(office), []);
  office.services.documents.addFile = addFile;
  assert.is((await send(office, randomBytes(1000), { upload_key: key })).status, 201);
});

test('simultaneous uploads are committed together, each with its own answer, and an invalid one alone is refused', async (office) => {
  const folder = await office.build.folder(office.actor, 'Scans');
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      send(office, Buffer.from(`scan ${n}`), {
        filename: `${n}.${n === 5 ? 'exe' : 'pdf'}`,
        parent_id: String(folder.id),
        upload_key: randomUUID(),
      }),
    ),
  );
  assert.equal(
    all.map(({ status }) => status),
    Array.from({ length: 12 }, (_, n) => (n === 5 ? 422 : 201)),
  );
  const there = (await office.services.documents.folder(office.actor, folder.id)).items;
  assert.equal(
    new Set(there.map(({ id }) => id)),
    new Set(all.filter(({ status }) => status === 201).map(({ json }) => json.data.id)),
  );
  const bytes = there.reduce((sum, { file_size }) => sum + file_size!, 0);
  assert.is(await office.services.records.used(office.actor.firmId), bytes);
});

test.run();
