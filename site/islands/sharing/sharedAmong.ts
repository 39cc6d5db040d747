import { may } from '../../lib/permissions.ts';
import { calls } from './calls.ts';

/** Milliseconds that a question waits for it. */
const PATIENCE = 1500;

/** How many open links show any of these items, something in them, or a folder that they are in; 0 where that is not known soon enough. */
export async function sharedAmong(items: readonly { id: number }[]): Promise<number> {
  if (!may('share') || items.length === 0 || items.length > 500) return 0;
  const known = calls.among(items.map(({ id }) => id)).then(
    ({ length }) => length,
    () => 0,
  );
  const late = new Promise<number>((resolve) => {
    setTimeout(resolve, PATIENCE, 0);
  });
  return Promise.race([known, late]);
}
