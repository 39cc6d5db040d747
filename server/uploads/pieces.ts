import type { IncomingMessage } from 'node:http';

/**
 * What comes of a body, read from the connection itself and by no further stream. The request stays open, to be answered.
 * @param whenOver is given what ends it early; nothing more is read then.
 */
export async function* piecesOf(
  request: IncomingMessage,
  whenOver: (stop: () => void) => void,
): AsyncGenerator<Buffer> {
  let stopped = false;
  let stop = (): void => {};
  whenOver(() => {
    stopped = true;
    stop();
  });
  const pieces = request.iterator({ destroyOnReturn: false });
  try {
    while (!stopped) {
      const piece = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        stop = () => resolve({ done: true, value: undefined });
        pieces.next().then(resolve, reject);
      });
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    // Not waited for: while it is, a client that sends nothing would hold up the answer.
    pieces.return?.()?.catch(() => {});
  }
}
