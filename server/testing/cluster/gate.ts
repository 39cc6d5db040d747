import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { freePort } from '../free-port.ts';

/** A TCP proxy in front of a server, which can cut that server off from all who use it. */
export interface Gate {
  /** The address of the proxy, in place of the server's own. */
  endpoint: string;
  /** Cuts all connections and refuses new ones. */
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** @param target the server's address, `http://host:port`. */
export async function startGate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  // It listens there again after it was shut.
  const proxyPort = await freePort();

  function track(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  }
  function forward(client: Socket): void {
    const upstream = connect(Number(port), hostname);
    track(client);
    track(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }
  async function open(): Promise<void> {
    if (server) return;
    const listening = createServer(forward);
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject).listen(proxyPort, '127.0.0.1', resolve);
    });
    server = listening;
  }
  async function shut(): Promise<void> {
    const closing = server;
    server = undefined;
    if (!closing) return;
    const closed = new Promise((resolve) => closing.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await open();
  return { endpoint: `http://127.0.0.1:${proxyPort}`, open, shut, close: shut };
}
