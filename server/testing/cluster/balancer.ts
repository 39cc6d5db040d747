import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that was forwarded and is not answered yet. */
export interface PendingRequest {
  port: number;
  /** Such as `PATCH /api/…`. */
  call: string;
}

/** A round-robin load balancer without sticky sessions. */
export interface Balancer {
  base: string;
  /** Ports of the servers that are up. */
  up: Set<number>;
  pending: Set<PendingRequest>;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  const up = new Set<number>();
  const pending = new Set<PendingRequest>();
  let next = 0;

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ports = [...up];
    const port = ports[(next += 1) % ports.length];
    if (port === undefined) return void outgoing.writeHead(502).end();
    const { method, url, headers } = incoming;
    const pendingRequest = { port, call: `${method} ${url}` };
    pending.add(pendingRequest);
    outgoing.on('close', () => pending.delete(pendingRequest));
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

  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    up,
    pending,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
