import type { IncomingMessage } from 'node:http';
import { invalid, tooLarge } from '#server/http/errors.ts';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import { NO_PAGES, PAGES_MAX, PAGE_MAX_BYTES, TOO_MANY_PAGES } from '../contract.ts';
import { openForm, toFormError } from '../form.ts';

const LIMITS = {
  files: PAGES_MAX,
  fields: 16,
  parts: PAGES_MAX + 20,
  fieldSize: 1024,
  fileSize: PAGE_MAX_BYTES + 1,
};

interface ReceivedPages {
  blobs: StoredBlob[];
  fields: Record<string, string>;
}

/**
 * Streams the pictures of a multipart body into `blobs`, in order. On any failure (truncated body, client disconnected
 * or stalled, refused, too large, disk full) it deletes the stored bytes and rejects; the rest of the body is then unread.
 * @param admit called before the first picture, with the fields before it.
 * @throws {AppError} 400, 408 if it stalls, 413 over a limit, 422 for no picture or too many.
 */
export async function receivePages(
  request: IncomingMessage,
  dependencies: {
    blobs: Pick<BlobStore, 'put' | 'delete'>;
    admit: (fields: Record<string, string>) => Promise<void>;
    stallAfter: number;
  },
): Promise<ReceivedPages> {
  const form = openForm(request, LIMITS);
  const { fields, fail } = form;
  const storing: Promise<StoredBlob>[] = [];
  let admitted: Promise<void> | undefined;
  form.parser.on('file', (field, stream) => {
    stream.once('limit', () => fail(tooLarge('A picture is too large. Take it again with fewer pixels.')));
    if (field !== 'page') return fail(invalid({ page: [NO_PAGES] }));
    if (form.failure()) return;
    admitted ??= dependencies.admit({ ...fields });
    const stored = admitted.then(() => dependencies.blobs.put(stream, { consume: true }));
    stored.catch(fail);
    storing.push(stored);
  });
  form.parser.on('filesLimit', () => fail(invalid({ page: [TOO_MANY_PAGES] })));
  await form.read(dependencies.stallAfter);

  const ended = await Promise.allSettled(storing);
  const blobs = ended.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const failure = form.failure() ?? (ended.length === 0 ? invalid({ page: [NO_PAGES] }) : undefined);
  if (!failure && blobs.length === ended.length) return { blobs, fields };
  for (const { id } of blobs) await dependencies.blobs.delete(id);
  throw toFormError(failure ?? ended.find((result) => result.status === 'rejected')?.reason);
}
