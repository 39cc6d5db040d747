import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Actor } from '#server/actor.ts';
import { checkName } from '#server/text/file-names.ts';
import type { Part } from '#server/testing/multipart.ts';
import { CONTENT_TYPE, filePart, multipart } from '#server/testing/multipart.ts';
import { until } from '#server/testing/until.ts';
import type { World } from '#server/testing/world.ts';
import { freshWorld } from '#server/testing/world.ts';
import { StoreFull } from '#storage/blobs.ts';

interface Office extends World {
  address: string;
  actor: Actor;
  token: string;
}

const test = suite<Office>('POST /api/documents/upload');
test.before.each(async (office) => {
  Object.assign(office, await freshWorld());
  const { actor, token } = await office.build.account();
  Object.assign(office, { address: await office.serve(), actor, token });
});
test.after.each((office) => office.close());

async function upload(
  { address, token }: Office,
  parts: Part[] | Buffer,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${address}/api/documents/upload`, {
    method: 'POST',
    body: Buffer.isBuffer(parts) ? parts : multipart(parts),
    headers: { 'Content-Type': CONTENT_TYPE, Authorization: `Bearer ${token}`, ...headers },
  });
  // eslint-disable-next-line typescript/no-explicit-any -- looked at field by field below
  return { status: response.status, json: (await response.json()) as any };
}

/** Everything an upload could leave behind. */
async function holdings({ db, blobs, services, actor }: Office) {
  const ids: string[] = [];
  for await (const { id } of blobs.list()) ids.push(id);
  const rows = await db('items').count({ count: '*' }).first();
  return { blobs: ids.length, rows: Number(rows!.count), used: await services.records.used(actor.firmId) };
}
const NOTHING = { blobs: 0, rows: 0, used: 0 };

async function refused(office: Office, parts: Part[] | Buffer, status: number, message: RegExp | string) {
  const before = await holdings(office);
  const got = await upload(office, parts);
  assert.is(got.status, status, got.json.message);
  assert.is(got.json.success, false);
  assert.type(got.json.code, 'string');
  assert.type(got.json.request_id, 'string');
  if (typeof message === 'string') assert.is(got.json.message, message);
  else assert.match(got.json.message, message);
  assert.equal(await holdings(office), before, 'nothing is left behind');
  return got.json;
}

test('the date of a file on the sender’s disk is stored beside the date of the upload, and survives later changes of the file', async (office) => {
  const { services, actor, db } = office;
  const { documents } = services;
  const original = '2019-07-31T12:30:00.000Z';
  const send = async (name: string, original_at: string) =>
    (await upload(office, [{ name: 'original_at', body: original_at }, filePart(name, name)])).json.data;
  const item = await send('Form 16.pdf', original);
  assert.is(item.original_at, original);
  assert.is(item.modified_at, office.now().toISOString());
  assert.is((await send('wrong clock.pdf', '1970-01-01T00:00:00.000Z')).original_at, null);

  const folder = await office.build.folder(actor, 'Old');
  await documents.rename(actor, item.id, { name: 'Form 16 old.pdf' });
  await documents.move(actor, { ids: [item.id], parent_id: folder.id });
  assert.is((await documents.item(actor, item.id)).original_at, original);
  const steps = [];
  for await (const step of documents.walk(actor, [folder.id])) steps.push(step.original_at);
  assert.equal(steps, [null, original]);
  const { archive } = services;
  const zip = await archive.zip(documents.walk(actor, [item.id]));
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.open()) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  assert.ok(bytes.includes(unixTime(original)), 'the ZIP carries it');

  const [zipped] = (await upload(office, [filePart('Old.zip', bytes)]).then(({ json }) => [json.data])) as [
    { id: number },
  ];
  await services.extraction.start(actor, zipped.id);
  await services.jobs.runDue('extraction');
  const dates = await db('items').where({ file_type: 'pdf' }).orderBy('id').pluck('original_at');
  assert.equal(dates, [original, null, original], 'and what comes out of a ZIP has it again');
});

/** A time in the format of the extra field of ZIP entries. */
function unixTime(iso: string): Buffer {
  const time = Buffer.alloc(4);
  time.writeInt32LE(Date.parse(iso) / 1000);
  return time;
}

test('an upload returns its item, and the file downloads unchanged', async (office) => {
  const folder = await office.build.folder(office.actor, '2026');
  const client = await office.build.client(office.actor);
  const content = randomBytes(200_000);
  const { status, json } = await upload(office, [
    filePart('Form 16.PDF', content),
    { name: 'parent_id', body: String(folder.id) },
    { name: 'client_id', body: String(client) },
  ]);
  assert.is(status, 201);
  assert.is(json.success, true);
  assert.is(json.message, 'Form 16.PDF uploaded');
  const { id, ...item } = json.data;
  assert.is(item.name, 'Form 16.PDF');
  assert.is(item.file_type, 'pdf');
  assert.is(item.file_size, 200_000);
  assert.is(item.parent_id, folder.id);
  assert.is(item.client_id, client);
  const { blob_id } = await office.services.documents.openFile(office.actor, id);
  const kept: Buffer[] = [];
  for await (const chunk of await office.blobs.get(blob_id)) kept.push(chunk as Buffer);
  assert.ok(Buffer.concat(kept).equals(content));
});

test('a missing field, an empty one and the value of the select box all mean the root, or no client', async (office) => {
  for (const client_id of ['', 'no-client', 'null']) {
    const got = await upload(office, [
      { name: 'parent_id', body: '' },
      { name: 'client_id', body: client_id },
      filePart('a.txt'),
    ]);
    assert.is(got.status, 201);
    assert.is(got.json.data.client_id, null);
  }
});

test('a refused type is named in lower case', async (office) => {
  await refused(office, [filePart('setup.EXE')], 422, 'File type "exe" is not supported');
  await refused(office, [filePart('README')], 422, 'File type "" is not supported');
  await refused(office, [filePart('page.mht')], 422, 'File type "mht" is not supported');
  const { errors } = await refused(office, [filePart('a.pdf.exe')], 422, /exe/);
  assert.equal(errors, { file: ['File type "exe" is not supported'] });
});

test('a type, a folder and a client that cannot be taken are reported together, before any byte is stored', async (office) => {
  const { errors } = await refused(
    office,
    [{ name: 'parent_id', body: '99999' }, { name: 'client_id', body: '99999' }, filePart('a.exe')],
    422,
    'File type "exe" is not supported',
  );
  assert.equal(errors, {
    file: ['File type "exe" is not supported'],
    parent_id: ['This folder does not exist, or you have no access to it.'],
    client_id: ['This client does not exist, or you have no access to it.'],
  });
});

test('a refusal can be read by a client that is still sending', async (office) => {
  const big = multipart([filePart('film.exe', Buffer.alloc(12_000_000))]);
  await refused(office, big, 422, 'File type "exe" is not supported');
  await refused(office, [filePart('a.pdf'), filePart('b.pdf', Buffer.alloc(5_000_000))], 422, /one file/);
});

test('forms without a file, with several, and malformed ones have different messages', async (office) => {
  await refused(office, [], 422, 'Please select files to upload');
  await refused(office, [filePart('a.pdf'), filePart('b.pdf')], 422, 'Send one file with each request.');
  await refused(office, multipart([filePart('a.pdf')]).subarray(0, -10), 400, /interrupted/);
  const noBoundary = await upload(office, [filePart('a.pdf')], { 'Content-Type': 'multipart/form-data' });
  assert.is(noBoundary.status, 400);
  const json = await upload(office, Buffer.from('{}'), { 'Content-Type': 'application/json' });
  assert.is(json.status, 400);
  assert.equal(await holdings(office), NOTHING);
});

test('an unknown folder or client, or one of another firm, is refused, whether its field is before or after the file', async (office) => {
  const stranger = await office.build.actor();
  const theirs = await office.build.folder(stranger, 'Theirs');
  const theirClient = await office.build.client(stranger);
  const mine = await office.build.file(office.actor);
  for (const [name, body] of [
    ['parent_id', '999999'],
    ['parent_id', String(theirs.id)],
    ['parent_id', String(mine.id)],
    ['parent_id', 'abc'],
    ['parent_id', '-1'],
    ['parent_id', '1e3'],
    ['client_id', '999999'],
    ['client_id', String(theirClient)],
    ['client_id', "1' OR 1=1"],
  ] as const) {
    const field = { name, body };
    const { errors } = await refused(office, [field, filePart('a.pdf')], 422, /./);
    assert.equal(Object.keys(errors), [name]);
    await refused(office, [filePart('a.pdf'), field], 422, errors[name][0]);
  }
});

test('unsafe file names are repaired', async (office) => {
  const stored = async (filenameLine: string) => {
    const { status, json } = await upload(office, [{ name: 'file', filenameLine, body: 'x' }]);
    assert.is(status, 201, json.message);
    assert.is(checkName(json.data.name), null);
    return json.data.name as string;
  };
  assert.is(await stored('filename="../../x.pdf"'), 'x.pdf');
  assert.is(await stored(`filename*=UTF-8''..%2F..%2Fetc%2Fy.pdf`), 'y.pdf');
  assert.is(await stored(`filename*=UTF-8''a%00b.pdf`), 'a_b.pdf');
  assert.is(await stored(`filename*=UTF-8''inv%E2%80%AEoice.pdf`), 'inv_oice.pdf');
  const long = await stored(`filename="${'क'.repeat(300)}.pdf"`);
  assert.ok(long.length <= 255 && long.endsWith('.pdf'));
  assert.is(await stored('filename="x.pdf"'), 'x (2).pdf');
  await refused(
    office,
    [{ name: 'file', filenameLine: `filename*=UTF-8''x.pdf%E2%80%AE`, body: 'x' }],
    422,
    /not supported/,
  );
});

test('an empty file is stored', async (office) => {
  const { status, json } = await upload(office, [filePart('empty.csv', '')]);
  assert.is(status, 201);
  assert.is(json.data.size, '0 B');
});

test('extraction is started for an archive if requested, and for no other file', async (office) => {
  const extract = { name: 'extract_zip', body: '1' };
  const zip = await upload(office, [extract, filePart('books.zip')]);
  assert.is(zip.json.message, 'books.zip uploaded, unpacking it');
  assert.ok(zip.json.extraction_id);
  const pdf = await upload(office, [filePart('a.pdf'), extract]);
  assert.is(pdf.json.message, 'a.pdf uploaded');
  assert.is(pdf.json.extraction_id, undefined);
});

test('without a session the body is not read', async (office) => {
  office.token = 'nobody';
  await refused(office, [filePart('a.pdf')], 401, /sign in/i);
});

test('a user who may only read cannot upload', async (office) => {
  await office.db('users').update({ role: 'viewer' });
  await refused(office, [filePart('a.pdf')], 403, /permission/);
});

test('a file that is too large by its announced length is refused before its bytes', async (office) => {
  const announce = async (length: number) => {
    const socket = connect(Number(new URL(office.address).port), '127.0.0.1');
    socket.write(
      `POST /api/documents/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${office.token}\r\n` +
        `Content-Type: ${CONTENT_TYPE}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    socket.write(multipart([filePart('a.zip')]).subarray(0, 170));
    const [answer] = await once(socket, 'data');
    socket.destroy();
    return String(answer);
  };
  const tooLarge = await announce(5_368_709_120 * 2);
  assert.match(tooLarge, /^HTTP\/1.1 413/);
  assert.match(tooLarge, /File size cannot exceed 5GB/);
  const overQuota = await announce(2 * 1024 ** 3);
  assert.match(overQuota, /^HTTP\/1.1 422/);
  assert.match(overQuota, /quota_exceeded/);
  assert.equal(await holdings(office), NOTHING);
});

test('of concurrent uploads with space for three exactly three are stored', async (office) => {
  // The free plan's gigabyte, all but room for three, is taken by a row.
  const taken = 1024 ** 3 - 350_000;
  await office
    .db('firm_usage')
    .insert({ firm_id: office.actor.firmId, file_type: 'zip', files: 1, bytes: taken });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => upload(office, [filePart(`${n}.bin.zip`, Buffer.alloc(100_000))])),
  );
  assert.is(answers.filter(({ status }) => status === 201).length, 3);
  const others = answers.filter(({ status }) => status !== 201);
  assert.ok(others.every(({ status, json }) => status === 422 && json.code === 'quota_exceeded'));
  assert.match(others[0]!.json.message, /of 1 GB is used/);
  assert.equal(await holdings(office), { blobs: 3, rows: 3, used: taken + 300_000 });
});

test('fifty clients that disconnect midway leave nothing, and the server continues', async (office) => {
  const body = multipart([filePart('a.pdf', randomBytes(300_000))]);
  const head =
    `POST /api/documents/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${office.token}\r\n` +
    `Content-Type: ${CONTENT_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`;
  await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const socket = connect(Number(new URL(office.address).port), '127.0.0.1').on('error', () => {});
      socket.write(head);
      await new Promise((resolve) => socket.write(body.subarray(0, 1000 + n * 5000), resolve));
      socket.destroy();
    }),
  );
  assert.is((await upload(office, [filePart('after.pdf')])).status, 201);
  await until(async () => (await holdings(office)).blobs === 1);
  assert.equal(await holdings(office), { blobs: 1, rows: 1, used: 7 });
});

test('an upload aborted while its last bytes are stored does not become a file', async (office) => {
  const { put } = office.blobs;
  const { uploads } = office.services;
  const { receive } = uploads;
  let sender: Socket | undefined;
  uploads.receive = (actor, request) => {
    sender = request.socket;
    return receive(actor, request);
  };
  const stored = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  office.blobs.put = async (...call) => {
    const blob = await put(...call);
    stored.resolve();
    await left.promise;
    return blob;
  };
  const body = multipart([filePart('a.pdf', randomBytes(3000))]);
  const socket = connect(Number(new URL(office.address).port), '127.0.0.1').on('error', () => {});
  socket.write(
    `POST /api/documents/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${office.token}\r\n` +
      `Content-Type: ${CONTENT_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body);
  await stored.promise;
  socket.resetAndDestroy();
  await until(() => sender!.destroyed);
  left.resolve();
  await until(async () => (await holdings(office)).blobs === 0);
  assert.equal(await holdings(office), NOTHING);
});

test('a full disk gives 503 with a message, and uploads work again once there is space', async (office) => {
  const { put } = office.blobs;
  office.blobs.put = async () => {
    throw new StoreFull();
  };
  const { code } = await refused(office, [filePart('a.pdf', randomBytes(1_000_000))], 503, /no room left/);
  assert.is(code, 'disk_full');
  office.blobs.put = put;
  assert.is((await upload(office, [filePart('a.pdf')])).status, 201);
});

test.run();
