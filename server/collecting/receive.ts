import type { IncomingMessage } from 'node:http';
import { AppError, tooLarge } from '#server/http/errors.ts';
import { nameInForm } from '#server/text/file-names.ts';
import { CUT_OFF, TOO_MANY_FILES } from './contract.ts';
import type { BlobStore, StoredBlob } from '#storage/blobs.ts';
import { openForm, toFormError } from '../uploads/form.ts';

/** Files per form; larger sets need several forms. */
const MAX_FILES = 500;
const STALL_TIMEOUT_MS = 120_000;
const MINUTE_MS = 60_000;
/** A form is received for so long at most: enough for 250 MB at 6 kB per second. */
const FORM_TIMEOUT_MS = 12 * 60 * MINUTE_MS;
/** After so long, a form that is slower on average than the slowest phone is given up. */
const SLOW_AFTER_MS = 10 * MINUTE_MS;
const SLOWEST_BYTES_PER_SECOND = 1024;
/** The form of a request has a reason for each of its documents. */
const FIELD_LIMITS = { fields: 128, fieldSize: 4096 };

interface ReceivedForm {
  fields: Record<string, string>;
  /** The files with their fields and original names; too large files have no blob. */
  files: { field: string; name: string; blob: StoredBlob | null }[];
}

/**
 * Streams the files of a plain form into `blobs`, for browsers without script. When the form is cut off, stalls,
 * takes too long or is refused, its blobs are deleted.
 * @param admit called before the first byte of a file is stored, with the fields that precede the files, and whether there are files.
 * @throws {AppError} 400, 408, 413, 415; errors of `admit`.
 */
export async function receiveForm(
  request: IncomingMessage,
  {
    blobs,
    admit,
    piece,
    fileBytes,
  }: {
    blobs: Pick<BlobStore, 'put' | 'delete'>;
    admit: (fields: Record<string, string>, hasFiles: boolean) => Promise<void>;
    /** Called with the size of each received chunk; an error ends the form. */
    piece: (bytes: number) => void;
    fileBytes: number;
  },
): Promise<ReceivedForm> {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? ''))
    throw new AppError(415, 'unsupported_media_type', 'Send the form as it is.');
  const parts = MAX_FILES + FIELD_LIMITS.fields;
  const limits = { ...FIELD_LIMITS, files: MAX_FILES, parts, fileSize: fileBytes + 1 };
  const { parser, fields, fail, failure, read } = openForm(request, limits);
  const storing: Promise<ReceivedForm['files'][number]>[] = [];
  let admitted: Promise<void> | undefined;
  parser.on('file', (field, stream, { filename }) => {
    // Browsers send an empty part for a file field without a selection.
    if (!filename || failure()) return void stream.resume();
    const name = nameInForm(filename);
    admitted ??= admit({ ...fields }, true);
    const stored = admitted.then(async () => {
      const blob = await blobs.put(stream, { consume: true });
      if (!stream.truncated) return { field, name, blob };
      await blobs.delete(blob.id);
      return { field, name, blob: null };
    });
    stored.catch(fail);
    storing.push(stored);
    return undefined;
  });
  parser.on('filesLimit', () => fail(tooLarge(TOO_MANY_FILES)));
  const startedAt = performance.now();
  let received = 0;
  // Its files are on the disk, and nobody's until the form is complete: a sender must not keep it open with a byte now and then.
  const pace = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    const slow = elapsed > SLOW_AFTER_MS && received < (elapsed / 1000) * SLOWEST_BYTES_PER_SECOND;
    if (slow || elapsed > FORM_TIMEOUT_MS) fail(new AppError(408, 'stalled', CUT_OFF));
  }, MINUTE_MS);
  const count = ({ length }: Buffer) => {
    received += length;
    try {
      piece(length);
    } catch (error) {
      fail(error);
    }
  };
  request.on('data', count);
  // The caller counts the bytes, which may be those of many files.
  await read(STALL_TIMEOUT_MS, Infinity);
  clearInterval(pace);
  request.off('data', count);
  const outcomes = await Promise.allSettled(storing);
  const files = outcomes.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const broken = outcomes.find((result) => result.status === 'rejected');
  if (!failure() && !broken) {
    // A form without files needs the check as well.
    await (admitted ?? admit({ ...fields }, false));
    return { fields, files };
  }
  for (const { blob } of files) if (blob) await blobs.delete(blob.id);
  throw toFormError(failure() ?? broken?.reason);
}
