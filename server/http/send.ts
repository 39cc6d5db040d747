import type { Readable } from 'node:stream';
import { create as disposition } from 'content-disposition';
import type { Context } from 'koa';
import { ifRangeHolds, notModified } from './conditional.ts';
import { servedAs } from './content-type.ts';
import type { RequestState } from './context.ts';
import { streamResponse } from './stream-response.ts';
import type { Range } from './range.ts';
import { parseRange } from './range.ts';
import { readFailure } from './storage-failure.ts';

export interface Sendable {
  name: string;
  /** Lower case, without the dot. */
  fileType: string | null;
  /** Bytes. */
  size: number;
  /** Identifies the content, as its SHA-256 does; becomes the entity tag. */
  version: string;
  /** ISO 8601, UTC; null where the content can change without it. */
  modifiedAt: string | null;
  /** Rejects, or destroys the stream, when the bytes are damaged or missing. */
  open(range?: Range): Promise<Readable>;
}

/**
 * Headers for user content: it may not run scripts, load anything, be framed or be cached. `sandbox` gives it an
 * opaque origin, so that a script that got through would have no session.
 */
export const UNTRUSTED_CONTENT_HEADERS = {
  'Content-Security-Policy':
    "sandbox; default-src 'none'; img-src data:; media-src 'self'; style-src 'unsafe-inline'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  // Clients' documents must not stay in the disk cache of an office computer.
  'Cache-Control': 'private, no-store',
};

/**
 * Sends a file: 200, 206, 304 or 416, for GET or HEAD. Damage found before the first byte gives an error with
 * the code `damaged`; damage found later cuts the connection, so that a complete response never holds a wrong
 * byte.
 */
export async function sendFile(ctx: Context, file: Sendable, { inline = false } = {}): Promise<void> {
  const as = servedAs(file.fileType);
  const etag = `"${file.version}"`;
  const modifiedAt = file.modifiedAt === null ? null : new Date(file.modifiedAt);
  // Set before anything can fail, so that an error about this file carries the same restrictions.
  ctx.set(UNTRUSTED_CONTENT_HEADERS);
  ctx.set({ ETag: etag, 'Accept-Ranges': 'bytes' });
  if (modifiedAt) ctx.set('Last-Modified', modifiedAt.toUTCString());
  ctx.status = 200;
  if (notModified(ctx, etag, modifiedAt)) {
    ctx.status = 304;
    return;
  }
  const range = requestedRange(ctx, file.size, etag, modifiedAt);
  if (range === 'unsatisfiable') return refuseRange(ctx, file.size);
  const body = ctx.method === 'HEAD' || file.size === 0 ? null : await openBody(file, range);
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

/** Content that is generated while it is sent. */
export interface Generated {
  name: string;
  /** Media type. */
  type: string;
  /** Bytes; null when unknown beforehand. */
  size: number | null;
  open(): Promise<Readable>;
}

/** Sends generated content, for GET or HEAD; it can be neither resumed nor cached. */
export async function sendGenerated(ctx: Context, { name, type, size, open }: Generated): Promise<void> {
  const body = ctx.method === 'HEAD' ? null : await open();
  ctx.set(UNTRUSTED_CONTENT_HEADERS);
  ctx.set({
    'Accept-Ranges': 'none',
    'Content-Type': type,
    'Content-Disposition': disposition(name, { type: 'attachment' }),
  });
  ctx.status = 200;
  if (size !== null) ctx.length = size;
  if (body) await respond(ctx, 200, body);
}

/**
 * Bypasses Koa's body handling, which would leave every buffer to the garbage collector. The headers are set
 * already.
 */
async function respond(
  ctx: Context,
  status: number,
  body: Readable,
  reopen?: (from: number) => Promise<Readable>,
): Promise<void> {
  ctx.status = status;
  ctx.respond = false;
  const failure = await streamResponse(body, ctx.res, reopen && { reopen });
  if (failure) ctx.app.emit('error', failure, ctx);
}

function requestedRange(ctx: Context, size: number, etag: string, modifiedAt: Date | null) {
  if (ctx.method !== 'GET' || !ifRangeHolds(ctx.get('If-Range') || undefined, etag, modifiedAt)) return null;
  return parseRange(ctx.get('Range') || undefined, size);
}

/** Not thrown: an error response has no place for Content-Range, which tells the client the size. */
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

async function openBody(file: Sendable, range: Range | null): Promise<Readable> {
  try {
    const body = await file.open(range ?? undefined);
    // Wait for the first bytes before the status is sent: afterwards an error can no longer be reported.
    await readable(body);
    return body;
  } catch (error) {
    throw readFailure(error, file.name);
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
