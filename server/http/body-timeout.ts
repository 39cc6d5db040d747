import type { IncomingMessage } from 'node:http';
import { AppError } from './errors.ts';

/** Milliseconds without a byte, and milliseconds for the whole body. */
export interface BodyTimeout {
  idle: number;
  total: number;
}

/** For forms of a few megabytes: 5 MB take ten minutes at 10 KB/s. */
const FORM: BodyTimeout = { idle: 60_000, total: 600_000 };

/**
 * Puts a timeout on `work`, which reads the body of `request`; for parsers that have no timeout of their own.
 * After a timeout the request is unpiped, so that the error response can be sent.
 * @throws {AppError} 408 when the client stops sending or sends too slowly.
 */
export async function withBodyTimeout<T>(
  request: IncomingMessage,
  work: Promise<T>,
  { idle, total }: BodyTimeout = FORM,
): Promise<T> {
  let giveUp!: () => void;
  const late = new Promise<never>((_resolve, reject) => {
    giveUp = () => {
      if (request.complete) return;
      request.unpipe();
      reject(new AppError(408, 'too_slow', 'The request took too long. Check the connection and try again.'));
    };
  });
  const timer = setTimeout(giveUp, total);
  request.setTimeout(idle).on('timeout', giveUp);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    request.setTimeout(0).off('timeout', giveUp);
    // After a timeout `work` may still reject: nobody awaits it any more.
    work.catch(() => {});
  }
}
