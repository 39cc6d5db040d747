import type { Place } from './repository/place.ts';

/**
 * The place, for work that `signal` ends: streams and listings stop at the next chunk or batch. Small objects are still read and written
 * after that, so that what was copied can be noted.
 */
export function watchedPlace(place: Place, signal: AbortSignal): Place {
  async function* watched<T>(all: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const one of all) {
      signal.throwIfAborted();
      yield one;
    }
  }
  return {
    ...place,
    stream: (key) => watched(place.stream(key)),
    keys: (prefix) => watched(place.keys(prefix)),
    list: (prefix) => watched(place.list(prefix)),
    write: (key, body) =>
      place.write(key, Buffer.isBuffer(body) ? body : { ...body, chunks: watched(body.chunks) }),
  };
}
