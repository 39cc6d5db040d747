/**
 * Measures stalled downloads: `npx node bench/stalled.ts [readers]` starts a server, opens so many downloads of a large
 * file without reading their responses, and prints the memory of the server before, meanwhile and after they are closed.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from './client.ts';
import { timed } from './measure.ts';
import { receive } from './receive.ts';
import { scratchFolder, startServer } from './server.ts';

const SIZE = 256 * 1024 * 1024;
const READERS = Number(process.argv[2] ?? 200);

const server = await startServer(await scratchFolder());
try {
  const client = await Client.register(server.url);
  const id = await client.upload('large.pdf', SIZE, randomBytes(1024 * 1024));
  const path = await client.downloadPath(id);
  const speed = async () => {
    const seconds = await timed(async () => {
      for (let n = 0; n < 4; n += 1) await receive(server.url, path);
    });
    return `4 downloads at ${Math.round((4 * SIZE) / 1024 ** 2 / seconds)} MB/s`;
  };
  const printMemory = async (label: string) =>
    process.stdout.write(`${label}: ${Math.round((await server.memory()).now)} MB\n`);
  process.stdout.write(`${await speed()}\n`);
  process.stdout.write(`${await speed()}\n`);
  await wait(5000);
  await printMemory('before');
  await server.resetPeak();
  const { hostname, port } = new URL(server.url);
  const sockets = await Promise.all(
    Array.from({ length: READERS }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.on('error', () => {}).pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
      return socket;
    }),
  );
  await wait(10_000);
  await printMemory(
    `${READERS} readers who take nothing, after 10 s and at most ${Math.round((await server.memory()).peak)} MB`,
  );
  await wait(10_000);
  await printMemory('after 20 s');
  for (const socket of sockets) socket.destroy();
  await wait(10_000);
  await printMemory('10 s after they left');
} finally {
  await server.remove();
}
