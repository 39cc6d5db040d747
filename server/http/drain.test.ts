import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { drain } from './drain.ts';

/** Sends `size` bytes to a server that rejects immediately and drains at most 1 MB. */
async function send(size: number): Promise<{ answer: string; open: boolean }> {
  const server = createServer((req, res) => {
    res.writeHead(413, { 'content-length': 0 }).end();
    drain(req, { bytes: 1024 * 1024, time: 5000 });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.setNoDelay(true).on('error', () => {});
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(false)));
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`);
  await once(socket, 'data');
  const body = new Promise<boolean>((resolve) =>
    socket.write(Buffer.alloc(size), (error) => resolve(!error)),
  );
  const open = await Promise.race([body, closed]);
  if (open) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    while (answer.split('413').length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  socket.destroy();
  server.closeAllConnections();
  server.close();
  return { answer, open };
}

test('a refused request with a small body leaves the connection usable for the next request', async () => {
  const { open } = await send(512 * 1024);
  assert.is(open, true);
});

test('the connection of a refused request with a large body is closed, after the client could read the response', async () => {
  const { answer, open } = await send(64 * 1024 * 1024);
  assert.match(answer, /^HTTP\/1.1 413/);
  assert.is(open, false);
});

test.run();
