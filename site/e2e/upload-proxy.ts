import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'uvu';
import type { Office } from './office.ts';
import { officeSuite } from './office.ts';

/** A proxy between a browser and the server. Uploads can be held in it; everything else always passes. */
export interface UploadProxy {
  /** What the browser opens instead of the server's own address. */
  url: string;
  /** Lets so many bytes more of all uploads through, and then none until `release`. */
  hold(bytes?: number): void;
  release(): void;
  /** Breaks off the connection instead of the response to the next bytes of a file, after waiting for `work`. */
  loseResponse(work: () => Promise<unknown>): void;
  /** How many uploads are held now. */
  held(): number;
  /** How many uploads the browser has broken off while they were held. */
  cutOff(): number;
  close(): void;
}

const isUpload = ({ method = '', url = '' }: IncomingMessage): boolean =>
  ['POST', 'PATCH'].includes(method) && /^\/api\/documents\/(?:upload|resumable)/.test(url);

/** Whether it has bytes of a file, unlike the request that begins a resumable upload. */
const hasBytes = (upload: IncomingMessage): boolean =>
  isUpload(upload) && (upload.method === 'PATCH' || !upload.url!.includes('resumable'));

export async function openUploadProxy(target: string): Promise<UploadProxy> {
  let allowedBytes = Infinity;
  let cutOff = 0;
  let losing: (() => Promise<unknown>) | null = null;
  /** Of each held upload, the function that sends on as many bytes as are allowed. */
  const held = new Map<IncomingMessage, () => void>();

  function forwardUpload(upload: IncomingMessage, outgoing: ClientRequest): void {
    const waiting: Buffer[] = [];
    let ended = false;
    const send = (): void => {
      while (waiting.length > 0 && allowedBytes > 0) {
        const chunk = waiting.shift()!;
        const part = chunk.subarray(0, Math.min(allowedBytes, chunk.length));
        if (part.length < chunk.length) waiting.unshift(chunk.subarray(part.length));
        allowedBytes -= part.length;
        outgoing.write(part);
      }
      if (waiting.length > 0) held.set(upload, send);
      else held.delete(upload);
      if (ended && waiting.length === 0) outgoing.end();
    };
    outgoing.flushHeaders();
    // Read to the end even while held: Node reports the close of a connection only if it is read.
    upload.on('data', (chunk: Buffer) => {
      waiting.push(chunk);
      send();
    });
    upload.on('end', () => {
      ended = true;
      send();
    });
  }

  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url = '/', headers } = incoming;
    const outgoing = request(new URL(url, target), { method, headers, agent: false });
    outgoing.on('error', () => response.destroy());
    outgoing.on('response', async (answer: IncomingMessage) => {
      const lose = hasBytes(incoming) ? losing : null;
      if (lose) {
        losing = null;
        await lose();
        response.destroy();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    response.on('close', () => {
      if (response.writableFinished) return;
      if (held.delete(incoming)) cutOff += 1;
      outgoing.destroy();
    });
    if (isUpload(incoming)) forwardUpload(incoming, outgoing);
    else incoming.pipe(outgoing);
  }

  function allow(bytes: number): void {
    allowedBytes = bytes;
    for (const send of Array.from(held.values())) send();
  }

  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (bytes = 0) => allow(bytes),
    release: () => allow(Infinity),
    loseResponse: (work) => void (losing = work),
    held: () => held.size,
    cutOff: () => cutOff,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** As `officeSuite`, with an upload proxy between the browser and the server. */
export function uploadProxySuite<Own extends object = object>(
  title: string,
): Test<Office & { proxy: UploadProxy } & Own> {
  const test = officeSuite<{ proxy: UploadProxy } & Own>(title);
  test.before.each(async (office) => {
    office.proxy = await openUploadProxy(office.url);
    office.url = office.proxy.url;
  });
  test.after.each(({ proxy }) => proxy.close());
  return test;
}
