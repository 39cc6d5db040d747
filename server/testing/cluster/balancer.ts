import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that was forwarded and is not answered yet. */
export interface Underway {
  port: number;
  /** Such as `PATCH /api/…`. */
  call: string;
}

/** A round-robin load balancer without sticky sessions. */
export interface Balancer {
  base: string;
  /** Ports of the servers that are up. */
  up: Set<number>;
  underway: Set<Underway>;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  const up = new Set<number>();
  const underway = new Set<Underway>();
  let next = 0;

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ports = [...up];
    const port = ports[(next += 1) % ports.length];
    if (port === undefined) return void outgoing.writeHead(502).end();
    const { method, url, headers } = incoming;
    const one = { port, call: `${method} ${url}` };
    underway.add(one);
    outgoing.on('close', () => underway.delete(one));
    const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.on('error', () => outgoing.destroy());
      response.on('aborted', () => outgoing.destroy());
      response.pipe(outgoing);
    });
    forwarded.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.on('error', () => forwarded.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }

  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    up,
    underway,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
