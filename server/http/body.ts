import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type * as v from 'valibot';
import type { RequestState } from './context.ts';
import { AppError, badRequest, tooLarge } from './errors.ts';
import { parse } from './input.ts';

const BODY_MAX_BYTES = 1024 * 1024;
const FIELDS_MAX = 200;
const TIMEOUT_MS = 60_000;
/** While a body takes longer, its sender may be signed out, as by a new password. */
const SLOW_MS = 1000;
const GONE = 'The client went away.';

const raw = new WeakMap<IncomingMessage, Promise<Buffer>>();

function collect(req: IncomingMessage, limit: number): Promise<Buffer> {
  const refusal = () => tooLarge(`The request is over the limit of ${Math.floor(limit / 1024)} KB.`);
  if (Number(req.headers['content-length'] ?? 0) > limit) return Promise.reject(refusal());
  // A destroyed request emits no more events: without this check the read would wait for the timeout.
  if (req.destroyed) return Promise.reject(new Error(GONE));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(
      () => stop(new AppError(408, 'too_slow', 'The request took too long.')),
      TIMEOUT_MS,
    );
    const stop = (error?: Error) => {
      clearTimeout(timer);
      req.off('data', onData).off('end', onEnd).off('error', stop).off('close', onClose);
      if (error) reject(error);
      else resolve(Buffer.concat(chunks, size));
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) stop(refusal());
      else chunks.push(chunk);
    };
    const onEnd = () => stop();
    const onClose = () => stop(new Error(GONE));
    req.on('data', onData).on('end', onEnd).on('error', stop).on('close', onClose);
  });
}

async function collectFor(ctx: Context, limit: number): Promise<Buffer> {
  const began = performance.now();
  const body = await collect(ctx.req, limit);
  if (performance.now() - began > SLOW_MS) await (ctx.state as RequestState).requireLiveSession?.();
  return body;
}

/**
 * The raw body, read once and cached per request. Only routes that call this read the body, so that uploads
 * stay streams.
 * @throws {AppError} 401 if the session ended while the body arrived; 408; 413.
 */
export function rawBody(ctx: Context, limit = BODY_MAX_BYTES): Promise<Buffer> {
  let body = raw.get(ctx.req);
  if (!body) raw.set(ctx.req, (body = collectFor(ctx, limit)));
  return body;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The request body is not valid JSON.', 'malformed_json');
  }
}

function fromForm(text: string): unknown {
  const fields = new URLSearchParams(text);
  if (fields.size > FIELDS_MAX) throw tooLarge(`The form has more than ${FIELDS_MAX} fields.`);
  return Object.fromEntries(fields);
}

/**
 * The JSON or form body; `{}` for an empty one.
 * @throws {AppError} 400 when it cannot be parsed, 413 when it is too large, 415 for any other type.
 */
export async function readBody(ctx: Context, limit?: number): Promise<unknown> {
  const type = ctx.is('json', 'urlencoded');
  if (type === false) {
    throw new AppError(415, 'unsupported_media_type', 'Send the request as application/json.');
  }
  let text: string;
  const bytes = await rawBody(ctx, limit);
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The request body is not valid UTF-8.');
  }
  if (text.trim() === '') return {};
  return type === 'urlencoded' ? fromForm(text) : fromJson(text);
}

/**
 * The body, validated by `schema`.
 * @throws {AppError} 400, 413, 415, and 422 with the messages of all fields.
 */
export async function read<S extends v.GenericSchema>(
  ctx: Context,
  schema: S,
  limit?: number,
): Promise<v.InferOutput<S>> {
  return parse(schema, await readBody(ctx, limit));
}
