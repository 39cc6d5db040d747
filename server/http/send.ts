import type { Readable } from 'node:stream';
import { create as disposition } from 'content-disposition';
import type { Context } from 'koa';
import { ifRangeHolds, notModified } from './conditional.ts';
import { servedAs } from './content-type.ts';
import type { RequestState } from './context.ts';
import { streamResponse } from './stream-response.ts';
import type { Range } from './range.ts';
import { parseRange } from './range.ts';
import { unread } from './storage-failure.ts';

export interface Sendable {
  name: string;
  /** Extension, lower case, without the dot. */
  fileType: string | null;
  /** Bytes. */
  size: number;
  /** Tells the content from every other, as its SHA-256 does; becomes the entity tag. */
  version: string;
  /** ISO 8601, UTC; null where the content may change without it. */
  modifiedAt: string | null;
  /** Rejects, or destroys the stream, when the bytes are damaged or missing. */
  open(range?: Range): Promise<Readable>;
}

/**
 * What came from outside runs nothing, loads nothing and is framed by nobody. `sandbox` gives it an origin of its
 * own, so that even a script which got through would have no session to use.
 */
export const FROM_OUTSIDE = {
  'Content-Security-Policy':
    "sandbox; default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  // A client's papers are not left in the disk cache of an office computer.
  'Cache-Control': 'private, no-store',
};

/**
 * Answers with a file: 200, 206, 304 or 416, with GET or HEAD. Damage found before the first byte is an error with
 * the code `damaged`; found later it cuts the connection, so that no complete answer ever holds a wrong byte.
 */
export async function sendFile(ctx: Context, file: Sendable, { inline = false } = {}): Promise<void> {
  const as = servedAs(file.fileType);
  const etag = `"${file.version}"`;
  const modifiedAt = file.modifiedAt === null ? null : new Date(file.modifiedAt);
  // Set before whatever can fail, so that an error about this file is as harmless as the file.
  ctx.set(FROM_OUTSIDE);
  ctx.set({ ETag: etag, 'Accept-Ranges': 'bytes' });
  if (modifiedAt) ctx.set('Last-Modified', modifiedAt.toUTCString());
  ctx.status = 200;
  if (notModified(ctx, etag, modifiedAt)) {
    ctx.status = 304;
    return;
  }
  const range = requestedRange(ctx, file.size, etag, modifiedAt);
  if (range === 'unsatisfiable') return refuseRange(ctx, file.size);
  const body = ctx.method === 'HEAD' || file.size === 0 ? null : await opened(file, range);
  ctx.set({
    'Content-Type': as.type,
    'Content-Disposition': disposition(file.name, { type: inline && as.inline ? 'inline' : 'attachment' }),
  });
  if (range) ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
  ctx.length = range ? range.end - range.start + 1 : file.size;
  if (!body) {
    if (ctx.method !== 'HEAD') ctx.body = Buffer.alloc(0);
    return;
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  await respond(ctx, range ? 206 : 200, body, (from) => file.open({ start: start + from, end }));
}

/** What is made while it is sent. */
export interface Made {
  name: string;
  /** Media type. */
  type: string;
  /** Bytes; null where nobody knows before it is made. */
  size: number | null;
  open(): Promise<Readable>;
}

/** Answers GET or HEAD with what can be neither resumed nor cached. */
export async function sendMade(ctx: Context, { name, type, size, open }: Made): Promise<void> {
  const body = ctx.method === 'HEAD' ? null : await open();
  ctx.set(FROM_OUTSIDE);
  ctx.set({
    'Accept-Ranges': 'none',
    'Content-Type': type,
    'Content-Disposition': disposition(name, { type: 'attachment' }),
  });
  ctx.status = 200;
  if (size !== null) ctx.length = size;
  if (body) await respond(ctx, 200, body);
}

/** Koa would leave every buffer to the collector; its headers are on the response already. */
async function respond(
  ctx: Context,
  status: number,
  body: Readable,
  again?: (from: number) => Promise<Readable>,
): Promise<void> {
  ctx.status = status;
  ctx.respond = false;
  const failure = await streamResponse(body, ctx.res, again && { again });
  if (failure) ctx.app.emit('error', failure, ctx);
}

function requestedRange(ctx: Context, size: number, etag: string, modifiedAt: Date | null) {
  if (ctx.method !== 'GET' || !ifRangeHolds(ctx.get('If-Range') || undefined, etag, modifiedAt)) return null;
  return parseRange(ctx.get('Range') || undefined, size);
}

/** Not thrown: the answer to an error has no room for Content-Range, which tells the client how far it may ask. */
function refuseRange(ctx: Context, size: number): void {
  ctx.status = 416;
  ctx.set('Content-Range', `bytes */${size}`);
  ctx.body = {
    success: false,
    message: `The file has ${size} bytes and ends before the range that was asked for.`,
    code: 'range_not_satisfiable',
    request_id: (ctx.state as RequestState).requestId,
  };
}

async function opened(file: Sendable, range: Range | null): Promise<Readable> {
  try {
    const body = await file.open(range ?? undefined);
    // The first bytes are read before the status is sent: afterwards there is no way to say what is wrong.
    await readable(body);
    return body;
  } catch (error) {
    throw unread(error, file.name);
  }
}

function readable(stream: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      stream.off('readable', settle).off('end', settle).off('error', settle).off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = () => settle(new Error('The stream was closed before its first byte.'));
    stream.on('readable', settle).on('end', settle).on('error', settle).on('close', closed);
  });
}
