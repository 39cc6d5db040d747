import { may } from '../../lib/permissions.ts';
import { calls } from './calls.ts';

/** How long a confirmation waits for the count. */
const TIMEOUT_MS = 1500;

/**
 * Counts the open links that show one of these items, something inside them, or a folder that contains them.
 * @returns 0 also when the server does not answer in time.
 */
export async function countLinks(items: readonly { id: number }[]): Promise<number> {
  if (!may('share') || items.length === 0 || items.length > 500) return 0;
  const count = calls.among(items.map(({ id }) => id)).then(
    ({ length }) => length,
    () => 0,
  );
  const timeout = new Promise<number>((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, 0);
  });
  return Promise.race([count, timeout]);
}
