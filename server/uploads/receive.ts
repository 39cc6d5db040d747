import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { MAX_FILE_BYTES, TOO_LARGE } from '#server/documents/contract.ts';
import { invalid, tooLarge } from '#server/http/errors.ts';
import type { BlobStore, PutBlob } from '#storage/blobs.ts';
import { NO_FILE, ONE_FILE } from './contract.ts';
import { openForm, told } from './form.ts';
import { piecesOf } from './pieces.ts';
import { watch } from './watch-client.ts';

export interface Received {
  /** As the client sent it, without folders. */
  name: string;
  blob: PutBlob;
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

/**
 * Streams the one file of a multipart body into `blobs`. On any failure (cut body, client gone or stalled, refused,
 * too large, disk full) it deletes what it stored and rejects; the rest of the body is then still unread.
 * @throws {AppError} 400 for what is not such a body, 408 when it stalls, 413 over the limit, 422 for no file or several.
 */
export async function receiveFile(request: IncomingMessage, reception: Reception): Promise<Received> {
  const form = openForm(request, LIMITS);
  const { fields, fail } = form;
  let file: { name: string; storing: Promise<PutBlob> } | undefined;
  form.parser.on('file', (field, stream, { filename }) => {
    stream.once('limit', () => fail(tooLarge(TOO_LARGE)));
    // What a browser sends for a form whose file was not chosen is a part without a name.
    if (field !== 'file' || !filename) return fail(invalid({ file: [NO_FILE] }));
    if (form.failure()) return;
    const storing = reception.admit(filename, { ...fields }).then(() => reception.blobs.put(stream));
    storing.catch(fail);
    file = { name: filename, storing };
  });
  form.parser.on('filesLimit', () => fail(invalid({ file: [ONE_FILE] })));
  await form.read(reception.stallAfter);

  const failure = form.failure();
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
): Promise<PutBlob> {
  let failure: unknown;
  let stop = (): void => {};
  const stopWatching = watch(request, stallAfter, (error) => {
    failure ??= error;
    stop();
  });
  // It is counted as it is read, and waits until the store asks for it.
  request.pause();
  async function* body(): AsyncGenerator<Buffer> {
    yield* piecesOf(request, (end) => (failure ? end() : (stop = end)));
    if (failure) throw failure;
  }
  const [stored] = await Promise.allSettled([blobs.put(Readable.from(body(), { objectMode: false }))]);
  stopWatching();
  if (stored.status === 'fulfilled' && !failure) return stored.value;
  if (stored.status === 'fulfilled') await blobs.delete(stored.value.id);
  throw failure ?? (stored.status === 'rejected' ? stored.reason : failure);
}
