import type { IncomingMessage } from 'node:http';

/**
 * The chunks of a request body, read directly from the socket. Ending the iteration does not destroy the request, so
 * that it can be answered.
 * @param provideStop receives a function that ends the iteration early.
 */
export async function* readBody(
  request: IncomingMessage,
  provideStop: (stop: () => void) => void,
): AsyncGenerator<Buffer> {
  let stopped = false;
  let stop = (): void => {};
  provideStop(() => {
    stopped = true;
    stop();
  });
  const chunks = request.iterator({ destroyOnReturn: false });
  try {
    while (!stopped) {
      const chunk = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        stop = () => resolve({ done: true, value: undefined });
        chunks.next().then(resolve, reject);
      });
      if (chunk.done) return;
      yield chunk.value;
    }
  } finally {
    // Not awaited: a client that sends nothing would delay the response.
    chunks.return?.()?.catch(() => {});
  }
}
