import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AppError } from '#server/http/errors.ts';
import { BOUNDARY, CONTENT_TYPE, filePart, multipart } from '#server/testing/multipart.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { createMemoryBytes } from '#storage/memory.ts';
import { createSealedBlobs } from '#storage/sealed.ts';
import type { ReceivedFile } from './receive.ts';
import { receiveFile } from './receive.ts';

interface World {
  blobs: BlobStore;
  port: number;
  outcomes: Promise<ReceivedFile>[];
  admitted: [string, Record<string, string>][];
  refuse: AppError | undefined;
  stallAfter: number;
  close(): Promise<void>;
}

const test = suite<World>('receiving a file');
test.before.each(async (world) => {
  const blobs = createSealedBlobs(createMemoryBytes(), deriveMasterKey(Buffer.alloc(32, 7)));
  Object.assign(world, { blobs, outcomes: [], admitted: [], refuse: undefined, stallAfter: 5000 });
  const server = createServer((request, response) => {
    const received = receiveFile(request, {
      blobs,
      stallAfter: world.stallAfter,
      admit: async (name, fields) => {
        world.admitted.push([name, fields]);
        if (world.refuse) throw world.refuse;
      },
    });
    world.outcomes.push(received);
    received.then(
      () => response.end('ok'),
      (error: AppError) => {
        request.resume();
        response.writeHead(error.status ?? 500).end(error.message);
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  world.port = (server.address() as AddressInfo).port;
  world.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
});
test.after.each((world) => world.close());

const send = (world: World, body: Buffer, type = CONTENT_TYPE) =>
  fetch(`http://127.0.0.1:${world.port}/`, { method: 'POST', body, headers: { 'Content-Type': type } });
const stored = async (world: World) => {
  const ids: string[] = [];
  for await (const { id } of world.blobs.list()) ids.push(id);
  return ids;
};

async function refused(world: World, body: Buffer, status: number, message: RegExp, type?: string) {
  const response = await send(world, body, type);
  assert.is(response.status, status);
  assert.match(await response.text(), message);
  assert.equal(await stored(world), [], 'nothing is left behind');
}

/** Sends the head and part of the body over a plain socket, then does `ending` to it. */
async function half(world: World, body: Buffer, cut: number, ending: 'destroy' | 'end' = 'destroy') {
  const socket = connect(world.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${CONTENT_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`;
  await new Promise((resolve) =>
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, cut)]), resolve),
  );
  while (world.outcomes.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  if (ending === 'destroy') socket.destroy();
  else socket.end();
}

test('fields are read in any order, since a form may have them after the file', async (world) => {
  const field = (name: string, body: string) => ({ name, body });
  const content = randomBytes(300_000);
  const orders = [
    [field('parent_id', '5'), field('client_id', ''), filePart('a.pdf', content)],
    [filePart('a.pdf', content), field('parent_id', '5'), field('client_id', '')],
    [field('parent_id', '5'), filePart('a.pdf', content), field('client_id', '')],
  ];
  for (const [n, parts] of orders.entries()) {
    assert.is((await send(world, multipart(parts))).status, 200);
    const { name, blob, fields } = await world.outcomes[n]!;
    assert.is(name, 'a.pdf');
    assert.equal({ ...fields }, { parent_id: '5', client_id: '' });
    assert.is(blob.size, content.length);
    assert.is(blob.sha256, createHash('sha256').update(content).digest('hex'));
  }
});

test('file names are read as UTF-8 and by RFC 5987, and without folders', async (world) => {
  const named = async (filenameLine: string) => {
    await send(world, multipart([{ name: 'file', filenameLine, body: 'x' }]));
    return (await world.outcomes.at(-1)!).name;
  };
  assert.is(await named('filename="आयकर.pdf"'), 'आयकर.pdf');
  assert.is(await named(`filename="x.pdf"; filename*=UTF-8''%E0%A4%95.pdf`), 'क.pdf');
  assert.is(await named('filename="../../etc/x.pdf"'), 'x.pdf');
  assert.is(
    await named('filename="Rent %22final%22 100%25.pdf"'),
    'Rent "final" 100%25.pdf',
    'as browsers do',
  );
  assert.is(await named(String.raw`filename="C:\\Users\\me\\x.pdf"`), 'x.pdf');
});

test('an empty file is accepted', async (world) => {
  assert.is((await send(world, multipart([filePart('empty.txt', '')]))).status, 200);
  assert.is((await world.outcomes[0]!).blob.size, 0);
});

test('a body that is not a form with one file is refused, each case with its own message', async (world) => {
  const one = filePart('a.pdf');
  await refused(world, Buffer.from('{}'), 400, /multipart/, 'application/json');
  await refused(world, multipart([one]), 400, /boundary/, 'multipart/form-data');
  await refused(world, multipart([]), 422, /^Please select files to upload$/);
  await refused(world, multipart([{ name: 'file', body: 'text' }]), 422, /^Please select/);
  await refused(world, multipart([{ name: 'file', filename: '', body: '' }]), 422, /^Please select/);
  await refused(world, multipart([{ ...one, name: 'files' }]), 422, /^Please select/);
  await refused(world, multipart([one, filePart('b.pdf')]), 422, /one file/);
  await refused(
    world,
    multipart([filePart('a.pdf', randomBytes(500_000)), filePart('b.pdf')]),
    422,
    /one file/,
  );
  const many = Array.from({ length: 17 }, (_, n) => ({ name: `f${n}`, body: '' }));
  await refused(world, multipart([one, ...many]), 400, /too many/);
  await refused(world, multipart([one, { name: 'parent_id', body: '1'.repeat(5000) }]), 400, /too long/);
  await refused(
    world,
    Buffer.from(`--${BOUNDARY}\r\nno header at all\r\n\r\n`),
    400,
    /cannot be read|interrupted/,
  );
});

test('a name with a NUL is refused', async (world) => {
  await refused(world, multipart([filePart('a\0.pdf')]), 400, /cannot be read/);
});

test('a file is refused by its name before its bytes are stored', async (world) => {
  world.refuse = new AppError(422, 'invalid', 'not this');
  await refused(
    world,
    multipart([{ name: 'parent_id', body: '5' }, filePart('a.exe', randomBytes(3_000_000))]),
    422,
    /not this/,
  );
  assert.equal(world.admitted, [['a.exe', { parent_id: '5' }]]);
});

test('a body truncated anywhere leaves nothing, even after the end of the file', async (world) => {
  const body = multipart([
    { name: 'parent_id', body: '1' },
    filePart('a.pdf', randomBytes(200_000)),
    { name: 'client_id', body: '' },
  ]);
  const random = Array.from({ length: 12 }, () => randomBytes(4).readUInt32LE() % body.length);
  for (const cut of [0, 1, 150, 200, ...random, body.length - 150, body.length - 10, body.length - 3]) {
    world.outcomes.length = 0;
    await half(world, body, cut, cut % 2 ? 'end' : 'destroy');
    const error = await world.outcomes[0]!.then(
      () => new AppError(200, 'taken', 'it was taken'),
      (error: AppError) => error,
    );
    assert.is(error.status, 400, `cut at ${cut}: ${error.message}`);
    assert.equal(await stored(world), [], `cut at ${cut}`);
  }
});

test('a complete HTTP body with a truncated form is refused', async (world) => {
  const body = multipart([filePart('a.pdf', randomBytes(100_000))]);
  await refused(world, body.subarray(0, 60_000), 400, /interrupted/);
  await refused(world, body.subarray(0, body.length - 4), 400, /interrupted/);
});

test('fifty clients that disconnect at once leave nothing', async (world) => {
  const body = multipart([filePart('a.pdf', randomBytes(400_000))]);
  await Promise.all(Array.from({ length: 50 }, (_, n) => half(world, body, 5000 + n * 7000)));
  while (world.outcomes.length < 50) await new Promise((resolve) => setTimeout(resolve, 5));
  const settled = await Promise.allSettled(world.outcomes);
  assert.ok(settled.every(({ status }) => status === 'rejected'));
  assert.equal(await stored(world), []);
});

test('a client that stops sending is disconnected, so that it cannot hold a connection for ever', async (world) => {
  world.stallAfter = 50;
  const body = multipart([filePart('a.pdf', randomBytes(100_000))]);
  const socket = connect(world.port, '127.0.0.1').on('error', () => {});
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${CONTENT_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, 50_000));
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1.1 408/);
  assert.equal(await stored(world), []);
  socket.destroy();
});

test('a failing store rejects with its own error, and the process continues', async (world) => {
  const full = Object.assign(new Error('full'), { status: 503 });
  const put = world.blobs.put;
  world.blobs.put = async (source) => {
    for await (const _ of source) throw full;
    throw full;
  };
  const response = await send(world, multipart([filePart('a.pdf', randomBytes(2_000_000))]));
  assert.is(response.status, 503);
  world.blobs.put = put;
  assert.is((await send(world, multipart([filePart('a.pdf')]))).status, 200);
});

test.run();
