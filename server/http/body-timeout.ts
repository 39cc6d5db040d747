import type { IncomingMessage } from 'node:http';
import { AppError } from './errors.ts';

/** Milliseconds: without a byte, and for the whole body. */
export interface Patience {
  idle: number;
  total: number;
}

/** For forms of a few megabytes: 5 MB come in ten minutes over a line of 10 KB/s. */
const FORM: Patience = { idle: 60_000, total: 600_000 };

/**
 * What `work` makes of the body of `request`, for parsers that wait without end. Given up, the body flows to nobody any
 * more, so that the answer can be sent.
 * @throws {AppError} 408 when the client stops sending, or sends too slowly.
 */
export async function withinPatience<T>(
  request: IncomingMessage,
  work: Promise<T>,
  { idle, total }: Patience = FORM,
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
    // Given up, the work may still fail, and nobody waits for it any more.
    work.catch(() => {});
  }
}
