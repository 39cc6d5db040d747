import { Agent as HttpAgent, request as plainRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A line that says nothing for so long is taken for cut; a computer that slept wakes to this. */
const SILENCE_MS = 60_000;
/** An answer of the vault is JSON and short. */
const ANSWER_MOST = 8 * 1024 * 1024;

export interface Call {
  method: string;
  headers?: Record<string, string>;
  body?: Buffer | AsyncIterable<Buffer>;
  /** Bytes of a body that comes piece by piece. */
  length?: number;
  signal?: AbortSignal | undefined;
}
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const agents = {
  'http:': new HttpAgent({ keepAlive: true, maxSockets: 12 }),
  'https:': new TlsAgent({ keepAlive: true, maxSockets: 12 }),
};

/** What went wrong where a body comes from, and not on the line. */
export class BodyFault extends Error {
  constructor(cause: unknown) {
    super('The body cannot be read.', { cause });
  }
}
async function* told(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw new BodyFault(error);
  }
}

/** One request. @throws {BodyFault} and what the network, the certificate or the signal says. */
export async function call(
  url: string,
  { method, headers = {}, body, length, signal }: Call,
): Promise<Answer> {
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
  const heard = () => void silence.refresh();
  sent.on('drain', heard);
  try {
    const answering = new Promise<Answer>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (response) => {
        const pieces: Buffer[] = [];
        let bytes = 0;
        response.on('data', (piece: Buffer) => {
          heard();
          bytes += piece.length;
          if (bytes > ANSWER_MOST) sent.destroy(new Error('This address does not answer as a vault does.'));
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
      return await answering;
    }
    // An answer may come before all was sent, as a refusal does; what the body says counts only where there is none.
    let fault: unknown;
    const sending = pipeline(
      Readable.from(told(body as AsyncIterable<Buffer>), { objectMode: true, highWaterMark: 1 }),
      sent,
    ).catch((error: unknown) => {
      fault = error;
      throw error;
    });
    const [answer] = await Promise.allSettled([answering, sending]);
    if (answer.status === 'fulfilled') return answer.value;
    throw fault instanceof Error && (fault as NodeJS.ErrnoException).code !== 'EPIPE' ? fault : answer.reason;
  } finally {
    clearTimeout(silence);
  }
}

/** Ends the connections that are kept for the next request. */
export function hangUp(): void {
  for (const agent of Object.values(agents)) agent.destroy();
}
