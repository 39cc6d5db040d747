import type { Place } from './repository/place.ts';

/**
 * The place, for work that `signal` ends: streams and listings stop at the next chunk or batch. Small objects are still read and written
 * after that, so that what was copied can be noted.
 * @param report called whenever something has moved.
 */
export function watchedPlace(place: Place, signal: AbortSignal, report: () => void): Place {
  async function reported<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    report();
    return result;
  }
  async function* watched<T>(all: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const one of all) {
      signal.throwIfAborted();
      report();
      yield one;
    }
  }
  return {
    ...place,
    read: (key) => reported(place.read(key)),
    delete: (key) => reported(place.delete(key)),
    stream: (key) => watched(place.stream(key)),
    keys: (prefix) => watched(place.keys(prefix)),
    list: (prefix) => watched(place.list(prefix)),
    write: (key, body) =>
      reported(place.write(key, Buffer.isBuffer(body) ? body : { ...body, chunks: watched(body.chunks) })),
  };
}
