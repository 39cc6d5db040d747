import { setTimeout as wait } from 'node:timers/promises';
import { PlaceGone } from './place.ts';

/** Milliseconds between tries. A restore of a large vault takes hours, and is not to end with one broken connection. */
export const PAUSES: readonly number[] = [1000, 5000, 15_000, 60_000, 120_000];

/** Fetches something, again after each pause while the place is away. @throws {PlaceGone} after the last try. */
export async function patiently<T>(pauses: readonly number[], fetch: () => Promise<T>): Promise<T> {
  for (const pause of pauses) {
    try {
      return await fetch();
    } catch (error) {
      if (!(error instanceof PlaceGone)) throw error;
      await wait(pause);
    }
  }
  return fetch();
}
