import type { IncomingMessage } from 'node:http';
import { MAX_FILE_BYTES, TOO_LARGE } from '#server/documents/contract.ts';
import { AppError, badRequest, tooLarge } from '#server/http/errors.ts';
import { CUT_OFF } from './contract.ts';

/** Boundaries, part headers and fields, at most. */
export const FORM_BYTES = 256 * 1024;
/** Room for a few socket reads, so that parsing and sealing do not wait for each other at every chunk. */
export const FILE_BUFFER = 256 * 1024;

/** Reports a client that went away, stopped sending, or sends without end. */
export function watch(
  request: IncomingMessage,
  stallAfter: number,
  fail: (error: AppError) => void,
): () => void {
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
