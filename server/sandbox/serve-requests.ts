import { Socket } from 'node:net';
import { createFrameDecoder, encodeFrame } from './frames.ts';

/** The result of a request to a sandboxed process. */
export type Outcome<Result> = Result | { fault: string };

/** The file descriptor for responses: stdout is ignored, since libraries print to it. */
const RESPONSES_FD = 3;

/**
 * The main loop of a sandboxed process, called once: handles each request from stdin until the parent closes it. An
 * error that `handle` throws is sent as a fault.
 */
export function serveRequests<Request, Result extends object>(
  handle: (request: Request) => Promise<Result>,
): void {
  const responses = new Socket({ fd: RESPONSES_FD, readable: false, writable: true });
  const requests = createFrameDecoder({ text: Infinity, all: Infinity });

  async function respond(request: Request): Promise<void> {
    const outcome: Outcome<Result> = await handle(request).catch((error: unknown) => ({
      fault: error instanceof Error ? error.message : String(error),
    }));
    for (const piece of encodeFrame(outcome)) responses.write(piece);
  }

  process.stdin.on('data', (piece: Buffer) => {
    for (const request of requests.decode(piece)) void respond(request as Request);
  });
  process.stdin.on('end', () => process.exit(0)).on('error', () => process.exit(0));
  responses.on('error', () => process.exit(0));
}
