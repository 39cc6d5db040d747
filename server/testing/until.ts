import { setTimeout as wait } from 'node:timers/promises';

/** Polls until the condition holds. @throws when it does not hold within `within` milliseconds. */
export async function until(holds: () => boolean | Promise<boolean>, within = 60_000): Promise<void> {
  for (const end = performance.now() + within; performance.now() < end; await wait(10)) {
    if (await holds()) return;
  }
  throw new Error(`${holds} did not come true within ${within / 1000} seconds`);
}
