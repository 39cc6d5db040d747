import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A round-robin load balancer without sticky sessions. */
export interface Balancer {
  base: string;
  /** Ports of the servers that are up. */
  up: Set<number>;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  const up = new Set<number>();
  let turn = 0;

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const ports = [...up];
    const port = ports[(turn += 1) % ports.length];
    if (port === undefined) return void answer.writeHead(502).end();
    const { method, url, headers } = asked;
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
    sent.on('response', (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      came.on('error', () => answer.destroy());
      came.on('aborted', () => answer.destroy());
      came.pipe(answer);
    });
    sent.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    asked.on('error', () => sent.destroy());
    answer.on('close', () => sent.destroy());
    asked.pipe(sent);
  }

  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    up,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
