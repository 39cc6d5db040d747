import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** A TCP proxy to a server; `cut` breaks all connections and refuses new ones, until `mend`. */
export async function openProxy(to: string) {
  const { port } = new URL(to);
  const sockets = new Set<Socket>();
  let cut = false;
  const server = createServer((client) => {
    if (cut) return void client.resetAndDestroy();
    const upstream = connect(Number(port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(): void {
      cut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend(): void {
      cut = false;
    },
    close(): void {
      this.cut();
      server.close();
    },
  };
}
