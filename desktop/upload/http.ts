import { Agent as HttpAgent, request as plainRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A connection without traffic for this long counts as dead, such as after the computer slept. */
const SILENCE_MS = 60_000;
/** Limit of a response, which is short JSON. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

export interface Call {
  method: string;
  headers?: Record<string, string>;
  body?: Buffer | AsyncIterable<Buffer>;
  /** Length of a streamed body. */
  length?: number;
  signal?: AbortSignal | undefined;
}
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const agents = {
  'http:': new HttpAgent({ keepAlive: true, maxSockets: 12 }),
  'https:': new TlsAgent({ keepAlive: true, maxSockets: 12 }),
};

/** An error of the body's source, not of the connection. */
export class BodyFault extends Error {
  constructor(cause: unknown) {
    super('The body cannot be read.', { cause });
  }
}
async function* withBodyFault(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw new BodyFault(error);
  }
}

/**
 * One request. One that only asks is repeated if the server has closed the connection, which was idle, at the moment of the
 * request. @throws {BodyFault}, or the error of the network, the certificate or the signal.
 */
export async function call(url: string, options: Call): Promise<HttpResponse> {
  const asks = options.method === 'GET' || options.method === 'HEAD';
  const idle = { closed: false };
  try {
    return await callOnce(url, options, idle);
  } catch (error) {
    if (!asks || !idle.closed) throw error;
    return callOnce(url, options, idle);
  }
}

/** @param idle `closed` is set if the request failed on a connection that an earlier one had used. */
async function callOnce(
  url: string,
  { method, headers = {}, body, length, signal }: Call,
  idle: { closed: boolean },
): Promise<HttpResponse> {
  const to = new URL(url);
  const send = to.protocol === 'https:' ? tlsRequest : plainRequest;
  const size = body instanceof Buffer ? body.length : (length ?? 0);
  const sent = send(to, {
    method,
    agent: agents[to.protocol as 'https:'],
    headers: {
      accept: 'application/json',
      ...headers,
      ...(method !== 'GET' && method !== 'HEAD' && { 'content-length': size }),
    },
    signal,
  });
  const silence = setTimeout(() => sent.destroy(new Error('The vault does not answer.')), SILENCE_MS);
  const onTraffic = () => void silence.refresh();
  sent.on('drain', onTraffic);
  try {
    const received = new Promise<HttpResponse>((resolve, reject) => {
      sent.once('error', (error: NodeJS.ErrnoException) => {
        idle.closed = sent.reusedSocket && error.code === 'ECONNRESET';
        reject(error);
      });
      sent.once('response', (response) => {
        const pieces: Buffer[] = [];
        let bytes = 0;
        response.on('data', (piece: Buffer) => {
          onTraffic();
          bytes += piece.length;
          if (bytes > MAX_RESPONSE_BYTES)
            sent.destroy(new Error('This address does not answer as a vault does.'));
          else pieces.push(piece);
        });
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(pieces).toString('utf8'),
          }),
        );
      });
    });
    if (body === undefined || body instanceof Buffer) {
      sent.end(body);
      return await received;
    }
    // A response, such as a refusal, may arrive before the body is sent; an error of the body only counts
    // without a response.
    let fault: unknown;
    const sending = pipeline(
      Readable.from(withBodyFault(body as AsyncIterable<Buffer>), { objectMode: true, highWaterMark: 1 }),
      sent,
    ).catch((error: unknown) => {
      fault = error;
      throw error;
    });
    const [answer] = await Promise.allSettled([received, sending]);
    if (answer.status === 'fulfilled') return answer.value;
    throw fault instanceof Error && (fault as NodeJS.ErrnoException).code !== 'EPIPE' ? fault : answer.reason;
  } finally {
    clearTimeout(silence);
  }
}

/** Closes the connections kept alive. */
export function closeConnections(): void {
  for (const agent of Object.values(agents)) agent.destroy();
}
