import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { MAX_FILE_BYTES, TOO_LARGE } from '#server/documents/contract.ts';
import { invalid, tooLarge } from '#server/http/errors.ts';
import type { BlobStore, PutBlob } from '#storage/blobs.ts';
import { nameInForm } from '#server/text/file-names.ts';
import { NO_FILE, ONE_FILE } from './contract.ts';
import { openForm, toFormError } from './form.ts';
import { readBody } from './read-body.ts';
import { watchClient } from './watch-client.ts';

export interface ReceivedFile {
  /** The file name from the client, without folders. */
  name: string;
  blob: PutBlob;
  /** All text fields, before and after the file. */
  fields: Record<string, string>;
}

interface ReceiveDependencies {
  blobs: BlobStore;
  /** Called with the fields before the file; a rejection leaves the file's bytes unread. */
  admit: (name: string, fields: Record<string, string>) => Promise<void>;
  /** Milliseconds without a byte after which the client counts as disconnected. */
  stallAfter: number;
}

// Our clients send one file and a few short fields; other clients may send more.
const LIMITS = { files: 1, fields: 16, parts: 20, fieldSize: 1024, fileSize: MAX_FILE_BYTES + 1 };

/**
 * Streams the file of a multipart body into `blobs`. On any failure (truncated body, client disconnected or stalled,
 * refused, too large, disk full) it deletes the stored bytes and rejects; the rest of the body is then still unread.
 * @throws {AppError} 400 if the body is not multipart, 408 if it stalls, 413 over the limit, 422 for no file or several.
 */
export async function receiveFile(
  request: IncomingMessage,
  dependencies: ReceiveDependencies,
): Promise<ReceivedFile> {
  const form = openForm(request, LIMITS);
  const { fields, fail } = form;
  let file: { name: string; storing: Promise<PutBlob> } | undefined;
  form.parser.on('file', (field, stream, { filename }) => {
    stream.once('limit', () => fail(tooLarge(TOO_LARGE)));
    // If the user chose no file, the browser sends a part without a file name.
    if (field !== 'file' || !filename) return fail(invalid({ file: [NO_FILE] }));
    if (form.failure()) return;
    const name = nameInForm(filename);
    const storing = dependencies
      .admit(name, { ...fields })
      .then(() => dependencies.blobs.put(stream, { consume: true }));
    storing.catch(fail);
    file = { name, storing };
  });
  form.parser.on('filesLimit', () => fail(invalid({ file: [ONE_FILE] })));
  await form.read(dependencies.stallAfter);

  const failure = form.failure();
  const [stored] = await Promise.allSettled([file?.storing]);
  const blob = stored.status === 'fulfilled' ? stored.value : undefined;
  if (file && blob && !failure) return { name: file.name, blob, fields };
  if (blob) await dependencies.blobs.delete(blob.id);
  throw toFormError(failure ?? (stored.status === 'rejected' ? stored.reason : invalid({ file: [NO_FILE] })));
}

/**
 * Streams a raw body into `blobs`. On any failure (truncated body, client disconnected or stalled, too large, disk full)
 * it deletes the stored bytes and rejects; the rest of the body is then still unread.
 * @throws {AppError} 400, 408 if it stalls, 413 over the limit.
 */
export async function receiveBody(
  request: IncomingMessage,
  { blobs, stallAfter }: Pick<ReceiveDependencies, 'blobs' | 'stallAfter'>,
): Promise<PutBlob> {
  let failure: unknown;
  let stop = (): void => {};
  const stopWatching = watchClient(request, stallAfter, (error) => {
    failure ??= error;
    stop();
  });
  // `watchClient` listens for 'data', which starts the flow; the body has to wait until the store reads it.
  request.pause();
  async function* body(): AsyncGenerator<Buffer> {
    yield* readBody(request, (end) => (failure ? end() : (stop = end)));
    if (failure) throw failure;
  }
  const [stored] = await Promise.allSettled([
    blobs.put(Readable.from(body(), { objectMode: false }), { consume: true }),
  ]);
  stopWatching();
  if (stored.status === 'fulfilled' && !failure) return stored.value;
  if (stored.status === 'fulfilled') await blobs.delete(stored.value.id);
  throw failure ?? (stored.status === 'rejected' ? stored.reason : failure);
}
