import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'uvu';
import type { Office } from './office.ts';
import { officeSuite } from './office.ts';

/** What lies between a browser and the server. Uploads can be held on it; everything else always passes. */
export interface UploadProxy {
  /** What the browser opens instead of the server's own address. */
  url: string;
  /** Lets so many bytes more of all uploads through, and then none until `release`. */
  hold(bytes?: number): void;
  release(): void;
  /** How many uploads are held now. */
  held(): number;
  /** How many were let go by their sender while they were held. */
  cutOff(): number;
  close(): void;
}

const isUpload = ({ method = '', url = '' }: IncomingMessage): boolean =>
  ['POST', 'PATCH'].includes(method) && /^\/api\/documents\/(?:upload|resumable)/.test(url);

export async function openUploadProxy(target: string): Promise<UploadProxy> {
  let room = Infinity;
  let cutOff = 0;
  /** What sends on as much as there is room for, by the upload that it is of. */
  const held = new Map<IncomingMessage, () => void>();

  function ration(from: IncomingMessage, on: ClientRequest): void {
    const waiting: Buffer[] = [];
    let ended = false;
    const send = (): void => {
      while (waiting.length > 0 && room > 0) {
        const chunk = waiting.shift()!;
        const now = chunk.subarray(0, Math.min(room, chunk.length));
        if (now.length < chunk.length) waiting.unshift(chunk.subarray(now.length));
        room -= now.length;
        on.write(now);
      }
      if (waiting.length > 0) held.set(from, send);
      else held.delete(from);
      if (ended && waiting.length === 0) on.end();
    };
    on.flushHeaders();
    // Read to the end also while it is held: of a connection that is not read nobody hears that it was closed.
    from.on('data', (chunk: Buffer) => {
      waiting.push(chunk);
      send();
    });
    from.on('end', () => {
      ended = true;
      send();
    });
  }

  function pass(from: IncomingMessage, back: ServerResponse): void {
    const { method, url = '/', headers } = from;
    const on = request(new URL(url, target), { method, headers, agent: false });
    on.on('error', () => back.destroy());
    on.on('response', (answer: IncomingMessage) => {
      back.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.on('error', () => back.destroy());
      answer.pipe(back);
    });
    back.on('close', () => {
      if (back.writableFinished) return;
      if (held.delete(from)) cutOff += 1;
      on.destroy();
    });
    if (isUpload(from)) ration(from, on);
    else from.pipe(on);
  }

  function allow(bytes: number): void {
    room = bytes;
    for (const send of Array.from(held.values())) send();
  }

  const server = createServer(pass).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (bytes = 0) => allow(bytes),
    release: () => allow(Infinity),
    held: () => held.size,
    cutOff: () => cutOff,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** As `officeSuite`, with a line between the browser and the server. */
export function uploadProxySuite<Own extends object = object>(
  title: string,
): Test<Office & { line: UploadProxy } & Own> {
  const test = officeSuite<{ line: UploadProxy } & Own>(title);
  test.before.each(async (office) => {
    office.line = await openUploadProxy(office.url);
    office.url = office.line.url;
  });
  test.after.each(({ line }) => line.close());
  return test;
}
