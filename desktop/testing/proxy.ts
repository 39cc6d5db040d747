import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

/** A TCP proxy to a server, which can be cut and mended. */
export async function openProxy(to: string) {
  const { port } = new URL(to);
  const sockets = new Set<Socket>();
  let cut = false;
  const server = createServer((here) => {
    if (cut) return void here.resetAndDestroy();
    const there = connect(Number(port), '127.0.0.1');
    for (const one of [here, there]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        here.destroy();
        there.destroy();
      });
    }
    here.pipe(there).pipe(here);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(): void {
      cut = true;
      for (const one of sockets) one.destroy();
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
