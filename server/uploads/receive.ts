import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import busboy from 'busboy';
import { MAX_FILE_BYTES, TOO_LARGE } from '#server/documents/contract.ts';
import { AppError, badRequest, invalid, tooLarge } from '#server/http/errors.ts';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import { CUT_OFF, NO_FILE, ONE_FILE } from './contract.ts';

export interface Received {
  /** As the client sent it, without folders. */
  name: string;
  blob: StoredBlob;
  /** The text fields, wherever they stood. */
  fields: Record<string, string>;
}

export interface Reception {
  blobs: BlobStore;
  /** Asked when the file's name is known, with the fields that came before it; a rejection refuses the bytes unread. */
  admit: (name: string, fields: Record<string, string>) => Promise<void>;
  /** Milliseconds without a byte after which the client counts as gone. */
  stallAfter: number;
}

// One file and three short fields are all we ever ask for; the rest is room for a careless client.
const LIMITS = { files: 1, fields: 16, parts: 20, fieldSize: 1024, fileSize: MAX_FILE_BYTES + 1 };
/** Boundaries, part headers and fields, at most. */
export const FORM_BYTES = 256 * 1024;

/**
 * Streams the one file of a multipart body into `blobs`. On any failure (cut body, client gone or stalled, refused,
 * too large, disk full) it deletes what it stored and rejects; the rest of the body is then still unread.
 * @throws {AppError} 400 for what is not such a body, 408 when it stalls, 413 over the limit, 422 for no file or several.
 */
export async function receiveFile(request: IncomingMessage, reception: Reception): Promise<Received> {
  const form = open(request);
  const fields: Record<string, string> = Object.create(null);
  let file: { name: string; storing: Promise<StoredBlob> } | undefined;
  let failure: unknown;
  const fail = (error: unknown) => {
    // The first failure is the one to tell; destroying the form makes others.
    if (failure) return;
    failure = error;
    request.unpipe(form);
    // Not at once: the parser goes on using its file stream after the event that brought us here.
    process.nextTick(() => form.destroy());
  };

  form.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) fail(badRequest('A field of the form is too long.'));
    else if (name) fields[name] = value;
  });
  form.on('file', (field, stream, { filename }) => {
    // The store reads the stream's errors too; without a listener one that comes earlier would end the process.
    stream.on('error', () => {});
    stream.once('limit', () => fail(tooLarge(TOO_LARGE)));
    // What a browser sends for a form whose file was not chosen is a part without a name.
    if (field !== 'file' || !filename) return fail(invalid({ file: [NO_FILE] }));
    if (failure) return;
    const storing = reception.admit(filename, { ...fields }).then(() => reception.blobs.put(stream));
    storing.catch(fail);
    file = { name: filename, storing };
  });
  form.on('filesLimit', () => fail(invalid({ file: [ONE_FILE] })));
  form.on('fieldsLimit', () => fail(badRequest('The form has too many fields.')));
  form.on('partsLimit', () => fail(badRequest('The form has too many parts.')));
  form.on('error', fail);
  // A body that ends too early ends the file's stream as if it were whole; only the form's own end tells.
  const closed = new Promise((resolve) => form.once('close', resolve));
  const stopWatching = watch(request, reception.stallAfter, fail);
  request.pipe(form);
  await closed;
  stopWatching();

  const [stored] = await Promise.allSettled([file?.storing]);
  const blob = stored.status === 'fulfilled' ? stored.value : undefined;
  if (file && blob && !failure) return { name: file.name, blob, fields };
  if (blob) await reception.blobs.delete(blob.id);
  throw told(failure ?? (stored.status === 'rejected' ? stored.reason : invalid({ file: [NO_FILE] })));
}

/**
 * Streams a body that is the file itself into `blobs`. On any failure (cut body, client gone or stalled, too large, disk
 * full) it deletes what it stored and rejects; the rest of the body is then still unread.
 * @throws {AppError} 400, 408 when it stalls, 413 over the limit.
 */
export async function receiveBody(
  request: IncomingMessage,
  { blobs, stallAfter }: Pick<Reception, 'blobs' | 'stallAfter'>,
): Promise<StoredBlob> {
  const body = new PassThrough({ highWaterMark: FILE_BUFFER });
  // The store reads the stream's errors too; without a listener one that comes earlier would end the process.
  body.on('error', () => {});
  let failure: unknown;
  const stopWatching = watch(request, stallAfter, (error) => {
    if (failure) return;
    failure = error;
    request.unpipe(body);
    body.destroy(error);
  });
  request.pipe(body);
  const [stored] = await Promise.allSettled([blobs.put(body)]);
  stopWatching();
  request.unpipe(body);
  if (stored.status === 'fulfilled' && !failure) return stored.value;
  if (stored.status === 'fulfilled') await blobs.delete(stored.value.id);
  throw failure ?? (stored.status === 'rejected' ? stored.reason : failure);
}

/** Reports a client that went away, stopped sending, or sends without end. */
function watch(request: IncomingMessage, stallAfter: number, fail: (error: AppError) => void): () => void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES + FORM_BYTES) fail(tooLarge(TOO_LARGE));
  };
  const gone = () => {
    if (!request.complete) fail(badRequest(CUT_OFF, 'cut_off'));
  };
  const stalled = () => fail(new AppError(408, 'stalled', 'The upload stopped half-way. Please try again.'));
  request.on('data', count).on('error', gone).on('close', gone).on('timeout', stalled);
  request.setTimeout(stallAfter);
  return () => {
    request.off('data', count).off('close', gone).off('timeout', stalled);
    // The error listener stays: the connection may still break while the rest of a refused body comes in.
    request.setTimeout(0);
  };
}

function open(request: IncomingMessage): busboy.Busboy {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) {
    throw badRequest('An upload must be sent as multipart/form-data.');
  }
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: LIMITS,
      fileHwm: FILE_BUFFER,
    });
  } catch {
    throw badRequest('The upload has no usable boundary in its Content-Type.');
  }
}

// Room for a few socket reads, so that parsing and sealing do not wait for each other at every chunk.
const FILE_BUFFER = 256 * 1024;

/** busboy says what is wrong with a form as a plain Error. */
function told(error: unknown): unknown {
  const reason = error instanceof Error ? error.message : '';
  if (reason.startsWith('Unexpected end of')) return badRequest(CUT_OFF, 'cut_off');
  if (reason === 'Malformed part header') return badRequest('The form has a part that cannot be read.');
  return error;
}
