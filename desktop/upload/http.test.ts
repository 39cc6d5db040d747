import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { call, closeConnections } from './http.ts';

test('a question on a connection that the vault closes at that moment, since it was idle, is asked again, but nothing that changes something', async () => {
  let requests = 0;
  const sockets = new Set<Socket>();
  // Each connection answers one request, and is closed upon the second.
  const server = createServer((socket) => {
    sockets.add(socket);
    let answered = false;
    socket.on('error', () => {});
    socket.on('data', () => {
      requests += 1;
      if (answered) return void socket.resetAndDestroy();
      answered = true;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    assert.is((await call(url, { method: 'GET' })).text, 'ok');
    assert.is((await call(url, { method: 'GET' })).text, 'ok');
    assert.is(requests, 3);
    // What changes something may have arrived, so it is not repeated here.
    const answer = await call(url, { method: 'DELETE' }).catch((error: NodeJS.ErrnoException) => error.code);
    assert.is(answer, 'ECONNRESET');
    assert.is(requests, 4);
  } finally {
    closeConnections();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

test.run();
