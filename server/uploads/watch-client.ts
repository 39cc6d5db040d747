import type { IncomingMessage } from 'node:http';
import { TOO_LARGE } from '#server/documents/contract.ts';
import { AppError, badRequest, tooLarge } from '#server/http/errors.ts';
import { CUT_OFF } from './contract.ts';
import { MAX_MULTIPART_BYTES } from './form-limits.ts';

/**
 * Calls `fail` when the client disconnects, sends nothing for `stallAfter` milliseconds, or sends more than `most` bytes, by default what a file may have.
 * @returns stops the watching.
 */
export function watchClient(
  request: IncomingMessage,
  stallAfter: number,
  fail: (error: AppError) => void,
  most = MAX_MULTIPART_BYTES,
): () => void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) fail(tooLarge(TOO_LARGE));
  };
  const closed = () => {
    if (!request.complete) fail(badRequest(CUT_OFF, 'cut_off'));
  };
  const stalled = () => fail(new AppError(408, 'stalled', 'The upload stopped half-way. Please try again.'));
  request.on('data', count).on('error', closed).on('close', closed).on('timeout', stalled);
  request.setTimeout(stallAfter);
  return () => {
    request.off('data', count).off('close', closed).off('timeout', stalled);
    // The error listener stays: the connection may still break while the rest of a refused body arrives.
    request.setTimeout(0);
  };
}
