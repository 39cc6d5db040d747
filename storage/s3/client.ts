import { createHash, randomInt } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { StoreFull } from '../blobs.ts';
import type { S3Address } from './address.ts';
import { refusal, S3Away } from './errors.ts';
import { textOf } from './xml.ts';

interface Patience {
  /** Time in ms after which a request is not retried any more. */
  forMs: number;
  /** The same, for requests that begin after another one was given up, until one succeeds. */
  thenMs: number;
  /** The first and the longest delay between attempts in ms; it doubles each time, with a random part. */
  firstMs: number;
  longestMs: number;
  /** Time in ms without a byte in either direction after which a connection is closed. */
  stallMs: number;
  /** That time when less of `forMs` or `thenMs` is left: a slow server has to be able to answer some attempt. */
  leastStallMs: number;
}
const PATIENCE: Patience = {
  forMs: 20_000,
  thenMs: 2000,
  firstMs: 100,
  longestMs: 4000,
  stallMs: 15_000,
  leastStallMs: 5000,
};
const SOCKETS = 64;

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** The key below the prefix; without it the request is for the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer[];
}

interface S3Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A response whose body has not been read yet. */
export interface S3Stream {
  status: number;
  headers: IncomingHttpHeaders;
  body: IncomingMessage;
}

/** The server did not respond in time, could not be reached, or is busy: the request may be retried. */
class Busy extends Error {
  readonly after: number;
  constructor(why: string, after = 0) {
    super(why);
    this.after = after;
  }
}

const BUSY = new Set([408, 425, 429, 500, 502, 503, 504, 509]);
const BUSY_CODE =
  /^(?:SlowDown|InternalError|ServiceUnavailable|RequestTimeout|OperationAborted|Busy|Throttling\w*|TooManyRequests|IncompleteBody|BadDigest)$/;
const FULL_CODE = /^(?:StorageFull|QuotaExceeded|InsufficientStorage|EntityQuotaExceeded|XMinioStorageFull)$/;

/** Reads the whole body. @throws {Busy} for a truncated body. */
async function wholeOf({ body, headers }: S3Stream, head: boolean, quietMs: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  const stall = setTimeout(() => body.destroy(new Error(`it stopped for ${quietMs / 1000} s`)), quietMs);
  try {
    for await (const piece of body) {
      stall.refresh();
      pieces.push(piece as Buffer);
      length += (piece as Buffer).length;
    }
  } catch (error) {
    throw new Busy(`the answer broke off (${(error as Error).message})`);
  } finally {
    clearTimeout(stall);
  }
  const announced = headers['content-length'];
  if (!head && announced !== undefined && Number(announced) !== length)
    throw new Busy('half of the answer came');
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Signed requests to one bucket, retried while the server is busy or unreachable. So the server may receive each of them twice. */
export function createS3Client(where: S3Address, patience: Partial<Patience> = {}) {
  const { endpoint, bucket, prefix, region, keyId, secret, address } = where;
  const { forMs, thenMs, firstMs, longestMs, stallMs, leastStallMs } = { ...PATIENCE, ...patience };
  const secure = endpoint.startsWith('https:');
  const options = {
    keepAlive: true,
    maxSockets: SOCKETS,
    maxFreeSockets: SOCKETS,
    scheduling: 'lifo' as const,
  };
  const agent = secure ? new https.Agent(options) : new http.Agent(options);
  const { request } = secure ? https : http;
  const cache = new Map<string, ArrayBuffer>();

  function urlOf({ key, query }: S3Request): string {
    const path = key === undefined ? '' : `/${(prefix + key).split('/').map(encodeURIComponent).join('/')}`;
    const search = query ? `?${new URLSearchParams(query)}` : '';
    return `${endpoint}/${bucket}${path}${search.replaceAll('+', '%20')}`;
  }

  /** One attempt, closed after `quietMs` without a byte. @throws {Busy} */
  async function once(s3Request: S3Request, sha256: string, quietMs: number): Promise<S3Stream> {
    const { method, body = [], headers = {} } = s3Request;
    const length = body.reduce((sum, piece) => sum + piece.length, 0);
    const signer = new AwsV4Signer({
      method,
      url: urlOf(s3Request),
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      accessKeyId: keyId,
      secretAccessKey: secret,
      region,
      service: 's3',
      cache,
    });
    const signed = await signer.sign();
    return new Promise<S3Stream>((resolve, reject) => {
      const sent = request(signed.url, {
        method,
        agent,
        headers: { ...Object.fromEntries(signed.headers as Headers), 'content-length': String(length) },
      });
      sent.setTimeout(quietMs, () => sent.destroy(new Error(`it said nothing for ${quietMs / 1000} s`)));
      sent.on('error', (error) => reject(new Busy(error.message)));
      sent.once('response', (answer) => {
        // From here on the reader of the body detects stalls: the socket may be idle because nobody reads.
        sent.setTimeout(0);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: answer });
      });
      for (const piece of body) sent.write(piece);
      sent.end();
    });
  }

  /** Throws the error that a response other than success stands for. @throws {Busy} {StoreFull} {S3Refused} */
  async function judge(answer: S3Stream, method: string, quietMs: number): Promise<never> {
    const { status, headers } = answer;
    const xml = (await wholeOf(answer, method === 'HEAD', quietMs)).toString();
    const code = textOf(xml, 'Code');
    if (FULL_CODE.test(code) || status === 507)
      throw new StoreFull({ cause: new Error(`${address}: ${code}`) });
    if (BUSY.has(status) || BUSY_CODE.test(code))
      throw new Busy(`${status}${code && ` ${code}`}`, Number(headers['retry-after'] ?? 0) * 1000 || 0);
    throw refusal(where, status, code);
  }

  /** Time in ms after which a silent server is given up when so much of the patience with it is left. */
  const quietMsOf = (leftMs: number): number => Math.min(stallMs, Math.max(leftMs, leastStallMs));

  /** Whether a request was given up and none has succeeded since. */
  let away = false;

  /**
   * Retries `work` until it succeeds or fails for good.
   * @param work gets the time in ms after which a silent server is given up.
   * @param withinMs the time in ms after which it is not retried any more.
   * @throws {S3Away} {S3Refused} {StoreFull}
   */
  async function patiently<T>(work: (quietMs: number) => Promise<T>, withinMs = forMs): Promise<T> {
    const until = performance.now() + (away ? Math.min(thenMs, withinMs) : withinMs);
    for (let wait = firstMs; ; wait = Math.min(longestMs, wait * 2)) {
      try {
        const left = Math.ceil(until - performance.now());
        const done = await work(quietMsOf(left));
        away = false;
        return done;
      } catch (error) {
        if (!(error instanceof Busy)) throw error;
        // Half of the delay is fixed, half is random, so that requests that failed together are not retried together.
        const pause = Math.max(Math.min(error.after, longestMs), wait * (randomInt(500, 1000) / 1000));
        if (performance.now() + pause > until) {
          away = true;
          throw new S3Away(
            `${endpoint} does not answer for ${address} (${error.message}). Is the endpoint right, and does its server run?`,
            {
              cause: error,
            },
          );
        }
        await sleep(pause);
      }
    }
  }

  const hashOf = (body: Buffer[] = []): string => {
    const hash = createHash('sha256');
    for (const piece of body) hash.update(piece);
    return hash.digest('hex');
  };

  const client = {
    where,
    patiently,
    isAway: () => away,

    /**
     * Sends a request and reads the whole response. `missing` accepts 404; `check` inspects a successful response, and throws
     * `again` if it reports an error after all.
     */
    async ask(
      s3Request: S3Request,
      { missing = false, check }: { missing?: boolean; check?: (answer: S3Answer) => void } = {},
    ): Promise<S3Answer> {
      const sha256 = hashOf(s3Request.body);
      return patiently(async (quietMs) => {
        const stream = await once(s3Request, sha256, quietMs);
        const { status, headers } = stream;
        if (status >= 300 && !(missing && status === 404)) return judge(stream, s3Request.method, quietMs);
        const body = await wholeOf(stream, s3Request.method === 'HEAD', quietMs);
        // If the bucket does not exist, 404 is an error.
        if (status === 404 && textOf(body.toString(), 'Code') === 'NoSuchBucket')
          throw refusal(where, status, 'NoSuchBucket');
        const answer = { status, headers, body };
        // Some operations respond with 200 and put the error into the body.
        if (body.length > 0 && s3Request.method !== 'GET') {
          const xml = body.toString();
          if (/<Error[ >]/.test(xml)) {
            const code = textOf(xml, 'Code');
            if (BUSY_CODE.test(code)) throw new Busy(`200, then ${code}`);
            throw refusal(where, status, code);
          }
        }
        check?.(answer);
        return answer;
      });
    },

    /** The response to a GET, before its body is read; null if the object does not exist. */
    async stream(s3Request: S3Request, withinMs = forMs): Promise<S3Stream | null> {
      const sha256 = hashOf();
      return patiently(async (quietMs) => {
        const stream = await once(s3Request, sha256, quietMs);
        if (stream.status < 300) return stream;
        if (stream.status !== 404) return judge(stream, s3Request.method, quietMs);
        const code = textOf((await wholeOf(stream, false, quietMs)).toString(), 'Code');
        if (code === 'NoSuchBucket') throw refusal(where, 404, code);
        return null;
      }, withinMs);
    },

    /** The error to throw for a response that makes a retry worthwhile. */
    again: (why: string): Error => new Busy(why),
    away: (why: string): S3Away => new S3Away(`${endpoint} does not answer for ${address} (${why}).`),
    forMs,
    stallMs,
    quietMsOf,
    close: () => agent.destroy(),
  };
  return client;
}
export type S3Client = ReturnType<typeof createS3Client>;
