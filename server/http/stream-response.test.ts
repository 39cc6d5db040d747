import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#server/testing/until.ts';
import { streamResponse } from './stream-response.ts';

const PIECE = 256 * 1024;
/** More than the socket buffers hold for a client that reads nothing. */
const SIZE = 160 * PIECE;
const NEVER = 600_000;

interface Line {
  servers: Server[];
  /** From which bytes bodies were opened, and how many of them are closed again. */
  opened: number[];
  closed: number;
  /** Responds with bytes that contain their own position. `end` resolves with the result of the response. */
  serve(
    timeouts: { rest: number; stall: number },
    fails?: number,
  ): Promise<{ res: IncomingMessage; end: Promise<unknown> }>;
}

const test = suite<Line>('streaming a body into a response');
test.before.each((line) => {
  Object.assign(line, { servers: [], opened: [], closed: 0 });
  const body = (from: number, fails = Infinity): Readable => {
    line.opened.push(from);
    const stream = Readable.from(
      (async function* pieces() {
        for (let start = from; start < SIZE; start += PIECE) {
          if (start >= fails) throw new Error('the blob is damaged');
          yield expected(start, Math.min(PIECE, SIZE - start));
        }
      })(),
      { highWaterMark: 1 },
    );
    return stream.once('close', () => (line.closed += 1));
  };
  line.serve = async (timeouts, fails) => {
    const { promise: end, resolve } = Promise.withResolvers<unknown>();
    const server = createServer((_request, res) => {
      res.setHeader('Content-Length', SIZE);
      resolve(streamResponse(body(0, fails), res, { reopen: async (from) => body(from), timeouts }));
    });
    line.servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const [res] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
    res.on('error', () => {});
    return { res, end };
  };
});
test.after.each(({ servers }) => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** `length` bytes from `offset` on, in which every four contain their position. */
function expected(offset: number, length: number): Buffer {
  const piece = Buffer.allocUnsafeSlow(length);
  for (let n = 0; n + 4 <= length; n += 4) piece.writeUInt32LE((offset + n) >>> 0, n);
  return piece;
}
function whole(): string {
  const hash = createHash('sha256');
  for (let start = 0; start < SIZE; start += PIECE) hash.update(expected(start, PIECE));
  return hash.digest('hex');
}
async function read(res: IncomingMessage): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of res as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}

test('a client that keeps reading gets everything from one body', async ({ serve, opened }) => {
  const { res, end } = await serve({ rest: NEVER, stall: NEVER });
  assert.is(await read(res), whole());
  assert.is(await end, null);
  assert.equal(opened, [0]);
});

test('a paused client keeps no body open, and gets every byte afterwards', async (line) => {
  const { res, end } = await line.serve({ rest: 20, stall: NEVER });
  // The system may take some more after a first pause, for which the body is opened once more.
  await until(() => line.closed > 0 && line.closed === line.opened.length);
  assert.is(await read(res), whole());
  assert.is(await end, null);
  assert.ok(line.opened.length > 1);
  assert.ok(line.opened[1]! % 65_536 === 0 && line.opened[1]! < SIZE);
});

test('of many paused clients only some keep their bodies open, and each gets every byte later', async (line) => {
  const readers = [];
  for (let n = 0; n < 20; n += 1) readers.push(await line.serve({ rest: NEVER, stall: NEVER }));
  await until(() => line.closed >= 4);
  assert.ok(line.closed < 20);
  for (const { res, end } of [readers.at(0)!, readers.at(-1)!]) {
    assert.is(await read(res), whole());
    assert.is(await end, null);
  }
  for (const { res, end } of readers.slice(1, -1)) {
    res.destroy();
    await end;
  }
  await until(() => line.closed === line.opened.length);
});

test('a client that reads nothing for too long is cut off, which is not an error of the body', async (line) => {
  const { res, end } = await line.serve({ rest: 10, stall: 30 });
  assert.is(await end, null);
  await until(() => line.closed === line.opened.length);
  await cut(read(res));
});

test('an error of the body cuts the connection and is returned', async ({ serve }) => {
  const { res, end } = await serve({ rest: NEVER, stall: NEVER }, 100 * PIECE);
  await cut(read(res));
  assert.match(String(await end), /damaged/);
});

test('the body is destroyed when the client disconnects', async (line) => {
  const { res, end } = await line.serve({ rest: NEVER, stall: NEVER });
  res.destroy();
  assert.is(await end, null);
  await until(() => line.closed === 1);
});

const cut = (call: Promise<unknown>) =>
  call.then(
    () => assert.unreachable('half of it was taken for the whole'),
    (error: Error) => assert.instance(error, Error),
  );

test.run();
