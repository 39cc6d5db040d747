import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BodyTimeout } from './body-timeout.ts';
import { withBodyTimeout } from './body-timeout.ts';

const test = suite('body timeout');

/** The outcome of a request with a body of `length` bytes: three are sent at once, `sends` sends the others. */
async function outcome(
  timeouts: BodyTimeout,
  length: number,
  sends: (socket: Socket) => void,
): Promise<string> {
  const server = createServer();
  const told = new Promise<string>((resolve) => {
    server.once('request', (request: IncomingMessage, response) => {
      withBodyTimeout(request, buffer(request.pipe(new PassThrough())), timeouts).then(
        (whole) => resolve(String(whole)),
        ({ status, code }) => resolve(`${status} ${code}`),
      );
      response.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\nabc`);
  sends(socket);
  const result = await told;
  socket.destroy();
  server.close();
  return result;
}

test('a complete body is read', async () => {
  assert.is(await outcome({ idle: 5000, total: 5000 }, 6, (socket) => void socket.write('def')), 'abcdef');
});

test('a client that stops sending gets 408 after the idle timeout, without waiting for the parser', async () => {
  assert.is(await outcome({ idle: 20, total: 60_000 }, 6, () => {}), '408 too_slow');
});

test('a client that sends byte by byte gets 408 after the total timeout', async () => {
  let timer!: NodeJS.Timeout;
  const told = await outcome({ idle: 60_000, total: 50 }, 10_000, (socket) => {
    timer = setInterval(() => socket.write('x'), 10);
  });
  clearInterval(timer);
  assert.is(told, '408 too_slow');
});

test.run();
