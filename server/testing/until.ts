import { setTimeout as wait } from 'node:timers/promises';

const LEAST_MS = 10;
const MOST_MS = 100;
/** Only for what never comes: a busy machine may take minutes. */
const PATIENCE_MS = 4 * 60_000;

/**
 * Polls until the condition holds, the longer the more rarely: on a busy machine a question may cost what the answer waits for.
 * @throws when it does not hold within `within` milliseconds.
 */
export async function until(holds: () => boolean | Promise<boolean>, within = PATIENCE_MS): Promise<void> {
  const begun = performance.now();
  for (let elapsed = 0; elapsed < within; elapsed = performance.now() - begun) {
    if (await holds()) return;
    await wait(Math.min(MOST_MS, LEAST_MS + elapsed / 10));
  }
  throw new Error(`${holds} did not come true within ${within / 1000} seconds`);
}
